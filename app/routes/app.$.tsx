import { json, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titleMeta } from "../forms/page-meta";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { CardSection } from "../ui/layout/detail";
import { ErrorContent } from "../ui/layout/error-page";
import { parts } from "../ui/layout/layout.css";
import { Card, Page } from "../ui/layout/page";
import { EmptyState } from "../ui/table/list-notes";
import { faqAnswers, supportAnswers } from "./_help/answers";

/** Sections that are not built yet, by the end of their address. */
const placeholders = {
  faq: { title: "FAQ", icon: "faq" },
  support: { title: "Support", icon: "support" },
} as const;
type Placeholder = (typeof placeholders)[keyof typeof placeholders];

const answers = { faq: faqAnswers, support: supportAnswers };

export const handle = { hydrate: false };
export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleMeta(data?.title ?? "Page not found", matches);

/** Answers addresses inside the shell that have no screen: a placeholder, or 404. */
export const loader = screenLoader(requireUser, async (args) => {
  const name = args.params["*"]?.replace(/\/$/, "").toLowerCase() ?? "";
  if (!Object.hasOwn(placeholders, name)) return json(null, 404);
  return json<Placeholder>(placeholders[name as keyof typeof placeholders]);
});

export default function UnbuiltSection() {
  const section = useLoaderData<typeof loader>();
  if (!section) return <ErrorContent error={404} />;
  return (
    <Page title={section.title}>
      <div className={parts}>
        {answers[section.icon].map(([question, answer]) => (
          <CardSection key={question} title={question}>
            <p>{answer}</p>
          </CardSection>
        ))}
        <Card>
          <EmptyState
            icon={section.icon}
            title="Under Development"
            reason="This section is under development"
          />
        </Card>
      </div>
    </Page>
  );
}
