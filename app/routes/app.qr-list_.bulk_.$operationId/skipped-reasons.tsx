// Without script: the same.
import { maxCodesNamed, type Refusals } from "../../features/promotions/lifecycle/bulk-actions";
import { countOf } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { code as codeStyle, list } from "./bulk.css";

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

/** Names the codes that stay as they are; of many, only the reasons. */
export function SkippedCodes({ refusals, skipped }: { refusals: Refusals; skipped: number }) {
  if (skipped > maxCodesNamed) return <SkippedReasons reasons={refusals.reasons} />;
  return (
    <ul className={list}>
      {refusals.shown.map(({ id, name, code, reason }) => (
        <li key={id}>
          {`${name} (`}
          <code className={codeStyle}>{formatCode(code)}</code>
          {`): ${reason}`}
        </li>
      ))}
    </ul>
  );
}
