import { Link, useSearchParams } from "@remix-run/react";
import type { SerializeFrom } from "@remix-run/node";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import { History } from "../../features/activity/history";
import { PromotionType, StatusBadge } from "../../features/promotions/status-badge";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import type { MachineChoice } from "../../features/machines/machine";
import { ButtonLink } from "../../ui/form/button";
import { PostButton } from "../../ui/form/post-button";
import { actions } from "../../ui/layout/layout.css";
import { Card, FactList } from "../../ui/layout/page";
import { muted, visuallyHidden } from "#styles/global.css";
import * as css from "./check.css";
import type { Answer } from "./check-screen.server";
import type { Fix } from "./fixes.server";

/** States the result in one sentence, announced when it appears; what is wrong with the text of a code stands at its field. */
export function AnswerMessage({ answer }: { answer: SerializeFrom<Answer> }) {
  if (answer.codeError !== null)
    return (
      <>
        <p className={visuallyHidden}>This is not a code.</p>
        {answer.codeEnd && (
          <MessageBlock kind="info">
            <Link to={`${paths.search}?q=${answer.codeEnd}`}>
              Find codes that end in {answer.codeEnd}
            </Link>
          </MessageBlock>
        )}
        {answer.similar.length > 0 && (
          <MessageBlock kind="info">
            <Similar codes={answer.similar} />
          </MessageBlock>
        )}
      </>
    );
  return (
    <MessageBlock kind={answer.kind}>
      <p className={css.verdict}>{answer.text}</p>
      {answer.notes.map(
        (note) =>
          note && (
            <p key={note} className={css.aside}>
              {note}
            </p>
          ),
      )}
      <Similar codes={answer.similar} />
    </MessageBlock>
  );
}

/** Stands outside the live region, which would be read again with each change of a button. */
export function FixButtons({ fixes }: { fixes: readonly Fix[] }) {
  if (fixes.length === 0) return null;
  return (
    <div className={actions}>
      {fixes.map((fix, index) => {
        const look = { variant: index === 0 ? "primary" : "default", size: "small" } as const;
        return fix.intent === undefined ? (
          <ButtonLink key={fix.label} to={fix.to} reloadDocument={fix.to.includes("#")} {...look}>
            {fix.label}
          </ButtonLink>
        ) : (
          <PostButton key={fix.label} {...fix} keySuffix={`-${index}`} {...look}>
            {fix.label}
          </PostButton>
        );
      })}
    </div>
  );
}

/** The machines that are meant by a part of a name, as links to the same check there. */
export function MachineChoices({
  code,
  machines,
}: {
  code: string;
  machines: readonly MachineChoice[];
}) {
  return (
    <div className={css.choices}>
      <p>{machines.length} machines have this in their name. Choose one.</p>
      <ul className={css.similar}>
        {machines.map(({ serialNumber, humanName }) => (
          <li key={serialNumber}>
            <ButtonLink
              to={`${paths.codeCheck(code)}&machine=${encodeURIComponent(serialNumber)}`}
              size="small"
            >
              {humanName} <span className={muted}>{serialNumber}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </div>
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

export function CodeCard({ code }: { code: NonNullable<SerializeFrom<Answer>["code"]> }) {
  return (
    <>
      <Card>
        <div className={css.head}>
          <h2 className={css.codeTitle}>{code.code}</h2>
          <StatusBadge status={code.status} />
        </div>
        <FactList
          facts={[
            [
              "Name",
              <Link key="name" to={paths.promotion(code.id)}>
                {code.name}
              </Link>,
            ],
            code.statusText !== null && ["Status", code.statusText],
            ["Type", <PromotionType key="type" promotion={code} />],
            ["Discount", code.discount],
            ["Used", code.used],
            ["Uses left", code.usesLeft],
            ["Renewable", code.renews],
            ["Hours", code.hours],
            ["Expiration", code.validity],
            ["Machines", <AssignedMachines key="machines" {...code.assigned} />],
          ]}
        />
      </Card>
      <CodeActivity to={paths.transactionsOfCode(code.code)} events={code.activity} />
      <History entries={code.history} />
    </>
  );
}
