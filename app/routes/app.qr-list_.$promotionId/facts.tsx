// Without script: the same.
import type { ReactNode } from "react";
import { statusWords } from "../../features/promotions/promotion-words";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { facts } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import type { PageWords } from "./page-words";
import * as css from "./promotion-page.css";

type FactsProps = {
  page: Pick<
    PageWords,
    "words" | "reason" | "created" | "renews" | "machines" | "moreMachines" | "groups"
  >;
};

/** Everything that is known about the promotion; what is printed can't be changed. */
export function Facts({ page }: FactsProps) {
  const { words, reason, created, renews } = page;
  const generation =
    words.numberOfCodes === null
      ? words.type
      : `${words.type}, one of ${formatNumber(words.numberOfCodes)} codes`;
  return (
    <Card className={css.facts}>
      <img
        className={css.image}
        src={paths.qrImage(words.id)}
        alt={`QR code for ${words.name}`}
        width="232"
        height="232"
      />
      <dl className={facts}>
        <Fact name="Status">
          {statusWords[words.status]}. {reason}
        </Fact>
        <Fact name="Code">
          <code>{words.code}</code>
        </Fact>
        <Fact name="Type">{generation}</Fact>
        <Fact name="Discount">
          {words.discountType}, {words.discount}
        </Fact>
        <Fact name="One-time">{words.oneTime}</Fact>
        <Fact name="Used">{words.used}</Fact>
        <Fact name="Uses left">{words.usesLeft}</Fact>
        <Fact name="Expiration">{words.validity}</Fact>
        <Fact name="Renewable">{renews}</Fact>
        <Fact name="Created">{created}</Fact>
        <Fact name="Machines">
          <Machines page={page} />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Machines({ page: { machines, moreMachines, groups } }: FactsProps) {
  if (machines.length === 0 && groups.length === 0) return <>None</>;
  return (
    <ul className={css.machines}>
      {machines.map(({ serialNumber, humanName, isDeleted }) => (
        <li key={serialNumber}>
          {serialNumber} {humanName}
          {isDeleted && " (Deleted from SmartVend)"}
        </li>
      ))}
      {moreMachines && <li>{moreMachines}</li>}
      {groups.map((group) => (
        <li key={group}>Group {group}</li>
      ))}
    </ul>
  );
}
