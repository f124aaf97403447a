// Without script: the same.
import { Link, useSearchParams } from "@remix-run/react";
import type { SerializeFrom } from "@remix-run/node";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import { History } from "../../features/activity/history";
import { PromotionType, StatusBadge } from "../../features/promotions/status-badge";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Card, FactList } from "../../ui/layout/page";
import * as css from "./check.css";
import type { Answer } from "./check-screen.server";

type CheckAnswer = NonNullable<SerializeFrom<Answer>>;
type FoundCode = Extract<CheckAnswer, { kind: "found" }>;

/** States the result in one sentence, announced when it appears. */
export function AnswerMessage({ answer }: { answer: CheckAnswer }) {
  switch (answer.kind) {
    case "no_code":
      return (
        <MessageBlock kind="error">
          <p className={css.verdict}>{answer.title}</p>
          <Similar codes={answer.similar} />
        </MessageBlock>
      );
    case "unknown":
      return (
        <MessageBlock kind="error">
          <p className={css.verdict}>{answer.title}</p>
          <p className={css.aside}>
            {answer.verdict?.message ?? "Compare it with what is printed, character by character."}
          </p>
          {answer.verdict?.hint && <p className={css.aside}>{answer.verdict.hint}</p>}
          <Similar codes={answer.similar} />
        </MessageBlock>
      );
    case "found":
      return answer.verdict ? (
        <Verdict verdict={answer.verdict} />
      ) : (
        <MessageBlock kind={answer.view.status === "active" ? "info" : "warning"}>
          <p className={css.verdict}>
            {answer.view.statusLabel}. {answer.view.reason}
          </p>
        </MessageBlock>
      );
  }
}

function Verdict({ verdict }: { verdict: NonNullable<FoundCode["verdict"]> }) {
  return (
    <MessageBlock kind={verdict.isAccepted ? "success" : "error"}>
      <p className={css.verdict}>{verdict.message}</p>
      {verdict.machine && <p className={css.aside}>{verdict.machine}</p>}
      {verdict.hint && <p className={css.aside}>{verdict.hint}</p>}
    </MessageBlock>
  );
}

function Similar({ codes }: { codes: readonly string[] }) {
  const [params] = useSearchParams();
  const machine = params.get("machine");
  if (codes.length === 0) return null;
  return (
    <>
      <p className={css.aside}>
        {codes.length === 1 ? "Did you mean this one?" : "Did you mean one of these?"}
      </p>
      <ul className={css.similar}>
        {codes.map((code) => (
          <li key={code}>
            <ButtonLink
              to={`${paths.codeCheck(code)}${machine ? `&machine=${encodeURIComponent(machine)}` : ""}`}
              size="small"
            >
              {code}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Everything about a code that exists. */
export function AnswerCard({ answer }: { answer: FoundCode }) {
  const { view, verdict, activity, history } = answer;
  return (
    <>
      <Card>
        <div className={css.head}>
          <h2 className={css.codeTitle}>{view.code}</h2>
          <StatusBadge status={view.status} />
        </div>
        <FactList
          facts={[
            [
              "Promotion",
              <Link key="name" to={paths.promotion(view.id)}>
                {view.name}
              </Link>,
            ],
            verdict && ["Status", `${view.statusLabel}. ${view.reason}`],
            ["Type", <PromotionType key="type" promotion={view} />],
            ["Discount", `${view.discountType}, ${view.discount}`],
            ["Used", view.used],
            ["Uses left", view.usesLeft],
            ["Renewable", view.renews],
            ["Expiration", view.validity],
            ["Machines", <AssignedMachines key="machines" {...view.assigned} />],
          ]}
        />
      </Card>
      <CodeActivity code={view.code} events={activity} />
      <History entries={history} />
    </>
  );
}
