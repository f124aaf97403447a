// Without script: boxes that belong to a form after the table; `select=page` in the URL ticks all of them.
import { useRouteLoaderData, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { visuallyHidden } from "#styles/global.css";
import { skipLinks } from "../../../ui/layout/layout.css";
import { useAreScriptsRunning } from "../../../ui/overlay/focus";
import { SelectAllBox } from "../../../ui/list/select-all-box";
import type { PromotionView } from "../promotion-view";
import { changeSelection, noteCampaigns, useSelection } from "../../../ui/list/selection";

export const formId = "bulk";

function rowBoxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`tbody input[form=${formId}]`)];
}

/** Returns what the checkboxes of all rows have in common: reading it in each row would take longer than the row. */
export function useSelectBoxes() {
  // Once scripts run, the selection alone says which boxes are ticked: the URL would tick cleared ones again.
  const areScriptsRunning = useAreScriptsRunning();
  const isSelected = useSearchParams()[0].get("select") === "page" && !areScriptsRunning;
  const shell = useRouteLoaderData<{ preferences: { hasShortcuts: boolean; isLite: boolean } }>(
    "routes/app",
  );
  // Without single keys, the way from a ticked row to the bar is a link.
  const hasLink = !shell?.preferences.hasShortcuts || shell.preferences.isLite;
  return { isSelected, hasLink };
}

export function rowKey({ id, massGenerationId, isGeneration }: PromotionView): string {
  return isGeneration ? `g${massGenerationId}` : id;
}

export function SelectBox({
  row,
  label,
  isSelected,
  hasLink,
}: { row: PromotionView; label: string } & ReturnType<typeof useSelectBoxes>) {
  return (
    <>
      <input
        type="checkbox"
        name="ids"
        value={rowKey(row)}
        form={formId}
        // Browsers restore ticks by their place, where another row may be by then.
        autoComplete="off"
        defaultChecked={isSelected}
        aria-label={`Select ${label}`}
      />
      {hasLink && (
        <span className={skipLinks}>
          <a href={`#${formId}`}>To the selection</a>
        </span>
      )}
    </>
  );
}

/** The header of the checkboxes: with scripts it ticks them all. */
export function SelectHeader({ rows }: { rows: readonly PromotionView[] }) {
  const { ticked, count } = useTickedRows(rows.map(rowKey));
  return (
    <th scope="col">
      {count === 0 ? (
        <span className={visuallyHidden}>Select</span>
      ) : (
        <SelectAllBox
          aria-label="Select this page"
          ticked={ticked}
          count={count}
          onTick={tickAll}
        />
      )}
    </th>
  );
}

function tickAll(isTicked: boolean): void {
  for (const box of rowBoxes()) box.checked = isTicked;
  changeSelection(rowBoxes());
}

/** Counts the rows of the page and the ticked ones; 0 of 0 until scripts run. */
export function useTickedRows(ids: readonly string[]) {
  const selection = useSelection();
  const areScriptsRunning = useAreScriptsRunning();
  return {
    ticked: ids.filter((id) => selection.includes(id)).length,
    count: areScriptsRunning ? ids.length : 0,
  };
}

/** Keeps the boxes of the page and the selection alike. */
export function useSelectionOfBoxes(rows: readonly PromotionView[]): void {
  const selection = useSelection();
  const page = rows.map(rowKey).join();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- only another page has other codes
  useEffect(() => noteCampaigns(rows.filter(({ isGeneration }) => !isGeneration)), [page]);
  // Boxes that were ticked before scripts ran, or by the URL, join the selection.
  useEffect(() => changeSelection(rowBoxes().filter(({ checked }) => checked)), [page]);
  useEffect(() => {
    for (const box of rowBoxes()) box.checked = selection.includes(box.value);
  }, [page, selection]);
  useEffect(() => {
    const follow = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && target.closest("tbody")) changeSelection([target]);
    };
    document.addEventListener("change", follow);
    return () => document.removeEventListener("change", follow);
  }, []);
}
