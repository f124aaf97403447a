// Without script: the same.
import type { HeldList } from "../../features/machines/platform-state.server";
import { formatMachines } from "../../features/machines/platform-view";
import { formatNumber } from "../../format/number";
import { columns } from "../../ui/layout/layout.css";
import * as css from "./missing-machines.css";

/** How many machines are missing in a held list, which they are, and what confirming it means. */
export function MissingMachines({ held }: { held: Omit<HeldList, "at"> }) {
  const { all, listed, machines, missing } = held;
  const rest = missing - machines.length;
  return (
    <div className={css.body}>
      <p>
        {listed === 0
          ? "SmartVend lists no machine."
          : `SmartVend lists ${formatMachines(listed)}.`}{" "}
        {`Of the ${formatMachines(all)} here, ${formatNumber(missing)} ${missing === 1 ? "is" : "are"} missing from its list:`}
      </p>
      <ul className={columns}>
        {machines.map(({ serialNumber, humanName }) => (
          <li key={serialNumber} className={css.machine}>
            <strong>{serialNumber}</strong> {humanName}
          </li>
        ))}
        {rest > 0 && <li>and {formatNumber(rest)} more</li>}
      </ul>
      <p>
        SmartVend is asked once more; those of them that are still missing are marked ‘Deleted from
        SmartVend’ and accept no codes. What is assigned to them stays, and a machine comes back by
        itself when it is listed again.
      </p>
    </div>
  );
}

/** @param flagged how many machines */
export function confirmedText(flagged: number): string {
  if (flagged === 0) return "All machines are listed again. None is marked.";
  const are = flagged === 1 ? "is" : "are";
  return `${formatMachines(flagged)} ${are} marked ‘Deleted from SmartVend’`;
}
