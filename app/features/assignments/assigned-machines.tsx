// Without script: the same.
import { countOf, formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { columns } from "../../ui/layout/layout.css";
import { muted } from "#styles/global.css";
import { groupNote } from "../machines/machine-group";
import { type Assigned, maxMachinesListed } from "./targets";
import * as css from "./assigned-machines.css";

/** Formats the assignments of a promotion or generation and the machines they result in. */
export function toAssignedView({ machines, groups, effective }: Assigned) {
  const more = effective.count - effective.shown.length;
  const deleted = machines.filter(({ isDeleted }) => isDeleted);
  const moreDeleted = deleted.length - maxMachinesListed;
  return {
    summary: effectiveLabel(effective, groups.length),
    groups: groups.map(({ id, name, ...group }) => ({ id, name, about: groupNote(group) })),
    machines: effective.shown.map(({ serialNumber, humanName, isDirect, groups: names }) => ({
      serialNumber,
      humanName,
      through: isDirect ? null : `through ${names.join(", ")}`,
    })),
    moreMachines: more > 0 ? `and ${formatNumber(more)} more` : null,
    /** They accept nothing, but are assigned all the same. */
    deleted: deleted.slice(0, maxMachinesListed),
    moreDeleted: moreDeleted > 0 ? `and ${formatNumber(moreDeleted)} more that are deleted` : null,
  };
}

/** '12 machines accept it: 3 by themselves, 9 through 2 groups' */
export function effectiveLabel(
  { count, directCount }: Pick<Assigned["effective"], "count" | "directCount">,
  groupCount: number,
): string {
  const total = `${countOf(count, "machine")} ${count === 1 ? "accepts" : "accept"} it`;
  if (groupCount === 0 || count === 0) return total;
  return `${total}: ${formatNumber(directCount)} by ${directCount === 1 ? "itself" : "themselves"}, ${formatNumber(count - directCount)} through ${countOf(groupCount, "group")}`;
}

export function AssignedMachines({
  summary,
  groups,
  machines,
  moreMachines,
  deleted,
  moreDeleted,
}: ReturnType<typeof toAssignedView>) {
  if (machines.length === 0 && groups.length === 0 && deleted.length === 0) return <>None</>;
  return (
    <div className={css.assigned}>
      <p>{summary}.</p>
      {groups.length > 0 && (
        <ul className={css.groups} aria-label="Machine groups">
          {groups.map(({ id, name, about }) => (
            <li key={id}>
              Group <a href={paths.machineGroup(id)}>{name}</a>{" "}
              <span className={muted}>({about})</span>
            </li>
          ))}
        </ul>
      )}
      {(machines.length > 0 || deleted.length > 0) && (
        <ul className={columns} aria-label="Machines">
          {machines.map(({ serialNumber, humanName, through }) => (
            <li key={serialNumber}>
              {serialNumber} {humanName}
              {through && <span className={muted}> {through}</span>}
            </li>
          ))}
          {moreMachines && <li>{moreMachines}</li>}
          {deleted.map(({ serialNumber, humanName }) => (
            <li key={serialNumber}>
              {serialNumber} {humanName} (Deleted from SmartVend)
            </li>
          ))}
          {moreDeleted && <li>{moreDeleted}</li>}
        </ul>
      )}
    </div>
  );
}
