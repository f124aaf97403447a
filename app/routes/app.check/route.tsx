import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { Page } from "../../ui/layout/page";
import { AnswerCard, AnswerMessage } from "./answer-card";
import * as css from "./check.css";
import { CheckForm } from "./check-form";
import { readCheckScreen } from "./check-screen.server";

// The answer first: without script it is what a new document is announced by.
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.answer ? `${data.answer.title} - ` : ""}Check a code - Promo Console` },
];

/** Tells whether a code would be accepted now, and why not (RULES R8). */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return json(await readCheckScreen(new URL(args.request.url).searchParams));
});

export default function CheckCode() {
  const { answer, ...form } = useLoaderData<typeof loader>();
  return (
    <Page title="Check a code">
      <CheckForm {...form} />
      <div className={answer ? css.answer : undefined}>
        <div role="status">{answer && <AnswerMessage answer={answer} />}</div>
        {answer?.kind === "found" && <AnswerCard answer={answer} />}
      </div>
    </Page>
  );
}
