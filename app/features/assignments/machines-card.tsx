// Without script: the same; the machines that don't fit unfold.
import { CardSection } from "../../ui/layout/detail";
import { muted } from "#styles/global.css";
import { AssignedMachines, type AssignedView } from "./assigned-machines";

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
