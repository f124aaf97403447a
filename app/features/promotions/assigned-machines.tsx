// Without script: the same.
import { formatNumber } from "../../format/number";
import { columns } from "../../ui/layout/layout.css";
import type { AssignedMachine } from "./promotion-details.server";

/** More machines than this are counted. */
const namedMachines = 50;

export type AssignedWords = ReturnType<typeof assignedWords>;

export function assignedWords({
  machines,
  groups,
}: {
  machines: AssignedMachine[];
  groups: string[];
}) {
  const more = machines.length - namedMachines;
  return {
    machines: machines.slice(0, namedMachines),
    moreMachines: more > 0 ? `and ${formatNumber(more)} more` : null,
    groups,
  };
}

/** What something is assigned to, by name. */
export function AssignedMachines({ machines, moreMachines, groups }: AssignedWords) {
  if (machines.length === 0 && groups.length === 0) return <>None</>;
  return (
    <ul className={columns}>
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
