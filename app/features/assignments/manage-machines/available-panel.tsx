// Without script: ticks are posted with the form; the count is that of the page that comes back.
import { SubmitButton } from "../../../ui/form/button";
import { MoreTargets, TargetBoxes, TargetPanel } from "../target-boxes";
import * as panels from "../target-picker.css";
import {
  byKind,
  type ChosenTargets,
  groupedKinds,
  kindOf,
  type Target,
  type TargetKind,
  targetKinds,
} from "../targets";
import { addIntent, capitalized, type PendingLists } from "./machines-dialog";
import * as styles from "./machines-dialog.css";

type AvailablePanelProps = {
  lists: Record<TargetKind, PendingLists>;
  search: string;
  ticked: ChosenTargets;
  onTick: (ticked: ChosenTargets) => void;
  isAdding: boolean;
};

export function AvailablePanel({ lists, search, ticked, onTick, isAdding }: AvailablePanelProps) {
  const list = lists.machine.available;
  const tickedIds = byKind(({ field }) => new Set(ticked[field]));
  const boxes = {
    isTicked: ({ kind, id }: Target) => tickedIds[kind].has(id),
    onToggle({ kind, id }: Target, isTicked: boolean) {
      const { field } = kindOf(kind);
      const others = ticked[field].filter((other) => other !== id);
      onTick({ ...ticked, [field]: isTicked ? [...others, id] : others });
    },
  };
  const selected = targetKinds.flatMap(({ kind }) =>
    lists[kind].available.shown.filter(boxes.isTicked),
  );
  return (
    <TargetPanel
      id="available-machines"
      title="Available Machines"
      count={list.total}
      control={
        <a className={panels.skip} href="#add-selected">
          Skip the machine list
        </a>
      }
    >
      {groupedKinds.map(({ kind, field }) => {
        const { shown, total } = lists[kind].available;
        return (
          total > 0 && (
            <div key={kind}>
              <h4 id={`available-${field}`} className={styles.groupsTitle}>
                {capitalized(field)} <span className={panels.count}>{total}</span>
              </h4>
              <TargetBoxes
                {...boxes}
                targets={shown}
                className={styles.groups}
                aria-labelledby={`available-${field}`}
              />
              <MoreTargets
                shown={shown.length}
                total={total}
                noun={`${field} `}
                isSearched={search !== ""}
              />
            </div>
          )
        );
      })}
      {list.total === 0 && <p className={panels.empty}>Every machine is assigned.</p>}
      <TargetBoxes {...boxes} targets={list.shown} aria-labelledby="available-machines" />
      <MoreTargets shown={list.shown.length} total={list.total} isSearched={search !== ""} />
      <div className={styles.panelFoot}>
        <p role="status">Selected: {selected.length}</p>
        <SubmitButton
          id="add-selected"
          name="intent"
          value={addIntent}
          size="small"
          isPending={isAdding}
          pendingLabel="Adding..."
        >
          Add Selected
        </SubmitButton>
      </div>
    </TargetPanel>
  );
}
