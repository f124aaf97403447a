// Without script: the same; the machines that don't fit unfold.
import { formatNumber } from "../../format/number";
import { muted, note } from "#styles/global.css";
import { useDeletedLabel } from "../machines/has-platform";
import { ShowMore, CardSection } from "../../ui/layout/detail";
import * as css from "./assigned-machines.css";
import { type Assigned, effectiveLabel } from "./assigned";
import { assignedTargets, kindOf, type Target } from "./targets";

/** Named at once, and at most. */
const maxChips = 8;
const maxUnfolded = 200;

/**
 * Formats the assignments of a promotion or generation and the machines they result in.
 * @param isActive whether the status lets machines redeem it
 */
export function toAssignedView(assigned: Assigned, isActive: boolean) {
  const { machine, group } = assignedTargets(assigned);
  const targets = [...group, ...machine];
  const deleted = machine.filter(({ isDisabled }) => isDisabled).length;
  const summary = effectiveLabel(assigned, isActive);
  return {
    summary: deleted > 0 ? `${summary}; ${formatNumber(deleted)} marked as deleted` : summary,
    targets: targets.slice(0, maxUnfolded),
    total: targets.length,
  };
}

type AssignedView = ReturnType<typeof toAssignedView>;

export function AssignedMachines({
  summary,
  targets,
  total,
}: Omit<AssignedView, "summary"> & { summary?: string }) {
  const more = total - maxChips;
  return (
    <div className={css.assigned}>
      {summary && <p>{summary}</p>}
      <Chips targets={targets.slice(0, maxChips)} />
      {more > 0 && (
        <ShowMore count={more}>
          <Chips targets={targets.slice(maxChips)} />
          {total > maxUnfolded && (
            <p className={muted}>{`and ${formatNumber(total - maxUnfolded)} more`}</p>
          )}
        </ShowMore>
      )}
    </div>
  );
}

function Chips({ targets }: { targets: readonly Target[] }) {
  const deletedLabel = useDeletedLabel();
  return (
    <ul className={css.chips}>
      {targets.map(({ kind, id, label, hint, isDisabled }) => (
        <li key={`${kind} ${id}`} className={css.chip}>
          {kind === "group" && "Group: "}
          <a href={kindOf(kind).path(id)}>{label || id}</a> <span className={css.hint}>{hint}</span>
          {isDisabled && <span className={note}> {deletedLabel}</span>}
        </li>
      ))}
    </ul>
  );
}

export function MachinesCard({
  summary,
  note: more,
  accepting,
  ...assigned
}: AssignedView & {
  note?: string | null;
  /** Names what machines accept: 'this code'. */
  accepting: string;
}) {
  const isAny = assigned.total > 0;
  return (
    <CardSection title="Machines" note={isAny && summary}>
      {isAny ? (
        <AssignedMachines {...assigned} />
      ) : (
        <p className={muted}>
          No machines yet. No machine accepts {accepting} until one is assigned.
        </p>
      )}
      {more && <p className={muted}>{more}</p>}
    </CardSection>
  );
}
