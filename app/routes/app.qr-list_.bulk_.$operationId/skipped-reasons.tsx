// Without script: the same.
import type { Refusals } from "../../features/promotions/lifecycle/bulk-actions";
import { countOf } from "../../format/number";
import { list } from "./bulk.css";

/** Lists why codes stay as they are, with the number for each reason. */
export function SkippedReasons({ reasons }: Pick<Refusals, "reasons">) {
  return (
    <ul className={list}>
      {reasons.map(({ reason, count }) => (
        <li key={reason}>{`${countOf(count, "code")}: ${reason}`}</li>
      ))}
    </ul>
  );
}
