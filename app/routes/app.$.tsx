import { json, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readFirstSteps } from "../features/dashboard/first-steps.server";
import { titleMeta } from "../forms/page-meta";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { CardSection } from "../ui/layout/detail";
import { ErrorContent } from "../ui/layout/error-page";
import { parts } from "../ui/layout/layout.css";
import { Card, Page } from "../ui/layout/page";
import { EmptyState } from "../ui/table/list-notes";
import { faqAnswers, firstStepsAnswer, supportAnswers } from "./_help/answers";

/** Sections that are not built yet, by the end of their address, which also names their icon. */
const sections = {
  faq: { title: "FAQ", answers: faqAnswers },
  support: { title: "Support", answers: supportAnswers },
};

export const handle = { hydrate: false };
export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleMeta(data ? sections[data.name].title : "Page not found", matches);

/** Answers addresses inside the shell that have no screen: a placeholder, or 404. */
export const loader = screenLoader(requireUser, async ({ params }, { user }) => {
  const name = params["*"]?.replace(/\/$/, "").toLowerCase() ?? "";
  if (!Object.hasOwn(sections, name)) return json(null, 404);
  const hasFirstSteps = name === "support" && (await readFirstSteps(user.role)) !== null;
  return json({ name: name as keyof typeof sections, hasFirstSteps });
});

export default function UnbuiltSection() {
  const section = useLoaderData<typeof loader>();
  if (!section) return <ErrorContent error={404} />;
  const { name, hasFirstSteps } = section;
  const { title, answers } = sections[name];
  return (
    <Page title={title}>
      <div className={parts}>
        {[...(hasFirstSteps ? [firstStepsAnswer] : []), ...answers].map(([question, answer]) => (
          <CardSection key={question} title={question}>
            <p>{answer}</p>
          </CardSection>
        ))}
        <Card>
          <EmptyState
            icon={name}
            title="Under Development"
            reason="This section is under development"
          />
        </Card>
      </div>
    </Page>
  );
}
