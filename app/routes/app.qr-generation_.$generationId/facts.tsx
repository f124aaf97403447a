// Without script: the same.
import { Link } from "@remix-run/react";
import { generationStatusLabels } from "../../features/mass-generations/mass-generation-view";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { facts, figure } from "../../ui/layout/layout.css";
import { Card, Fact } from "../../ui/layout/page";
import * as css from "./generation-page.css";
import type { PageView } from "./page-view";

/** Facts about a mass generation: content, outcome, and the printed values that can't change. */
export function Facts({ page }: { page: Omit<PageView, "codes"> }) {
  const { words, reason, assigned } = page;
  return (
    <>
      {words.status === "deleted" && (
        <MessageBlock kind="warning">This mass generation is deleted. {reason}</MessageBlock>
      )}
      <dl className={css.figures}>
        {page.figures.map(({ name, value, note }) => (
          <Card key={name}>
            <dt className={muted}>{name}</dt>
            <dd className={figure}>
              {value} {note && <span className={css.note}>{note}</span>}
            </dd>
          </Card>
        ))}
      </dl>
      <Card>
        <dl className={facts}>
          <Fact name="Status">
            {generationStatusLabels[words.status]}. {reason}
          </Fact>
          <Fact name="Codes by status">{page.byStatus}</Fact>
          <Fact name="Uses in all">
            {page.uses}.{" "}
            <Link to={paths.transactionsOfGeneration(words.id)}>Show the transactions</Link>
          </Fact>
          <Fact name="Discount">
            {words.discountType}, {words.discount}
          </Fact>
          <Fact name="One-time">{words.oneTime}</Fact>
          <Fact name="Renewable">{words.renews}</Fact>
          <Fact name="Expiration">{words.validity}</Fact>
          <Fact name="Created">
            {words.createdAt}
            {words.createdBy && ` by ${words.createdBy}`}
          </Fact>
          <Fact name="Machines">
            <AssignedMachines {...assigned} />
          </Fact>
        </dl>
      </Card>
    </>
  );
}
