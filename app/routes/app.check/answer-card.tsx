// Without script: the same.
import { Link, useSearchParams } from "@remix-run/react";
import type { SerializeFrom } from "@remix-run/node";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import { History } from "../../features/activity/history";
import { StatusBadge } from "../../features/promotions/status-badge";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { facts } from "../../ui/layout/layout.css";
import { Card, Fact } from "../../ui/layout/page";
import type { VerdictView } from "./answer-view";
import * as css from "./check.css";
import type { Answer } from "./check-screen.server";

type Given = NonNullable<SerializeFrom<Answer>>;
type Found = Extract<Given, { kind: "found" }>;

/** States the result in one sentence, announced when it appears. */
export function AnswerMessage({ answer }: { answer: Given }) {
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
            {answer.verdict?.sentence ?? "Compare it with what is printed, character by character."}
          </p>
          {answer.verdict?.hint && <p className={css.aside}>{answer.verdict.hint}</p>}
          <Similar codes={answer.similar} />
        </MessageBlock>
      );
    case "found":
      return answer.verdict ? (
        <Verdict verdict={answer.verdict} />
      ) : (
        <MessageBlock kind={answer.words.status === "active" ? "info" : "warning"}>
          <p className={css.verdict}>
            {answer.words.statusWord}. {answer.words.reason}
          </p>
        </MessageBlock>
      );
  }
}

function Verdict({ verdict }: { verdict: VerdictView }) {
  return (
    <MessageBlock kind={verdict.isAccepted ? "success" : "error"}>
      <p className={css.verdict}>{verdict.sentence}</p>
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
export function AnswerCard({ answer }: { answer: Found }) {
  const { words, verdict, activity, history } = answer;
  return (
    <>
      <Card>
        <div className={css.head}>
          <h2 className={css.codeTitle}>{words.code}</h2>
          <StatusBadge status={words.status} />
        </div>
        <dl className={facts}>
          <Fact name="Promotion">
            <Link to={paths.promotion(words.id)}>{words.name}</Link>
          </Fact>
          {verdict && (
            <Fact name="Status">
              {words.statusWord}. {words.reason}
            </Fact>
          )}
          <Fact name="Type">
            {words.massGenerationId === null ? (
              words.type
            ) : (
              <>
                {words.type}, one of{" "}
                <Link to={paths.generation(words.massGenerationId)}>
                  {formatCodes(words.numberOfCodes!)}
                </Link>
              </>
            )}
          </Fact>
          <Fact name="Discount">
            {words.discountType}, {words.discount}
          </Fact>
          <Fact name="Used">{words.used}</Fact>
          <Fact name="Uses left">{words.usesLeft}</Fact>
          <Fact name="Renewable">{words.renews}</Fact>
          <Fact name="Expiration">{words.validity}</Fact>
          <Fact name="Machines">
            <AssignedMachines {...words.assigned} />
          </Fact>
        </dl>
      </Card>
      <CodeActivity code={words.code} events={activity} />
      <History entries={history} />
    </>
  );
}
