// Without script: boxes that belong to a form after the table; its buttons open the next page.
import { Link, useNavigate, useRouteLoaderData, useSearchParams } from "@remix-run/react";
import { useEffect, type FormEvent } from "react";
import { listParams } from "../../features/promotions/list/promotion-filters";
import {
  changeSelection,
  clearSelection,
  maxSelected,
  useSelection,
} from "../../features/promotions/list/selection";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { Choice } from "../../ui/form/field";
import { Icon } from "../../ui/icon/icon";
import { button, hiddenOnPhone } from "../../ui/form/button.css";
import { skipLinks } from "../../ui/layout/layout.css";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { SelectAllBox } from "../../ui/table/select-all-box";
import { muted, visuallyHidden } from "#styles/global.css";
import type { PromotionListData } from "./promotion-table";
import * as css from "./qr-list.css";

const formId = "bulk";

function rowBoxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`tbody input[form=${formId}]`)];
}

/** Returns what the checkboxes of all rows have in common: reading it in each row would take longer than the row. */
export function useSelectBoxes() {
  // `select=page` in the URL ticks all of the page, as it does without scripts.
  const isSelected = useSearchParams()[0].get("select") === "page";
  const shell = useRouteLoaderData<{ preferences: { hasShortcuts: boolean; isLite: boolean } }>(
    "routes/app",
  );
  // Without single keys, the way from a ticked row to the bar is a link.
  const hasLink = !shell?.preferences.hasShortcuts || shell.preferences.isLite;
  return { isSelected, hasLink };
}

function rowKey({ id, massGenerationId, isGeneration }: PromotionView): string {
  return isGeneration ? `g${massGenerationId}` : id;
}

/** The checkbox of a row. */
export function SelectBox({
  row,
  label,
  isSelected,
  hasLink,
}: { row: PromotionView; label: string } & ReturnType<typeof useSelectBoxes>) {
  return (
    <>
      <input
        key={String(isSelected)}
        type="checkbox"
        name="ids"
        value={rowKey(row)}
        form={formId}
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
function useTickedRows(ids: readonly string[]) {
  const selection = useSelection();
  const areScriptsRunning = useAreScriptsRunning();
  return {
    ticked: ids.filter((id) => selection.includes(id)).length,
    count: areScriptsRunning ? ids.length : 0,
  };
}

/** Keeps the boxes of the page and the selection alike. */
function useSelectionOfBoxes(ids: readonly string[]): void {
  const selection = useSelection();
  const page = ids.join();
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

/** Actions of the screen. The export has all rows that match the filter, not only this page. */
export function ListActions() {
  const filters = listParams(useSearchParams()[0]);
  return (
    <>
      <ButtonLink to={`${paths.exportCsv}?${filters}`} reloadDocument icon="download">
        <span className={hiddenOnPhone}>Export CSV</span>
      </ButtonLink>
      <ButtonLink to={paths.qrGeneration} variant="primary" icon="plus">
        New promotion
      </ButtonLink>
    </>
  );
}

/** Actions on the ticked rows, or on all that match the filter. */
export function BulkBar({ list: { allLabel, bulkActions, rows } }: { list: PromotionListData }) {
  const ids = rows.map(rowKey);
  const [params] = useSearchParams();
  const navigate = useNavigate();
  useSelectionOfBoxes(ids);
  const selection = useSelection();
  const elsewhere = selection.filter((id) => !ids.includes(id));
  const { count } = useTickedRows(ids);
  const filters = listParams(params);
  const selectPage = new URLSearchParams([...filters, ["select", "page"]]);

  const actionButton = ([action, label]: [string, string]) => (
    <Button key={action} name="intent" value={action}>
      {label}
    </Button>
  );
  const isInBar = ([action]: [string, string], index: number) => index < 3 || action === "delete";

  /** Leaves downloads to the browser and navigates to pages without loading a document. */
  function follow(event: FormEvent<HTMLFormElement>) {
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    if (!pressed || "document" in pressed.dataset) return;
    event.preventDefault();
    const fields = new FormData(event.currentTarget) as unknown as Iterable<[string, string]>;
    navigate(`${paths.bulk}?${new URLSearchParams([...fields, [pressed.name, pressed.value]])}`);
  }

  return (
    <form
      id={formId}
      tabIndex={-1}
      method="get"
      action={paths.bulk}
      className={css.bar}
      data-selected={selection.length > 0 || undefined}
      aria-label="Selected codes"
      onSubmit={follow}
    >
      <input type="hidden" name="ticked" value="1" />
      {[...filters].map(([name, value], index) => (
        <input key={`${name}-${index}`} type="hidden" name={name} value={value} />
      ))}
      {elsewhere.length > 0 && <input type="hidden" name="ids" value={elsewhere.join(".")} />}
      <span role="status" className={selection.length > 0 ? css.selected : muted}>
        {count > 0 &&
          `${formatNumber(selection.length)} selected${selection.length < maxSelected ? "" : " (maximum)"}`}
      </span>
      {count === 0 && (
        <Link to={`${paths.qrList}?${selectPage}#${formId}`} preventScrollReset>
          Select this page
        </Link>
      )}{" "}
      <Choice type="checkbox" name="all" value="true">
        {allLabel}
      </Choice>
      <div className={css.buttons}>
        {bulkActions.filter(isInBar).map(actionButton)}
        <DetailsMenu
          summaryClass={button.default}
          summary={
            <>
              More <Icon name="chevron-down" size="small" />
            </>
          }
          placement="aboveEnd"
        >
          <div className={css.more}>
            {bulkActions.filter((action, index) => !isInBar(action, index)).map(actionButton)}
            <Button formAction={paths.exportCsv} data-document>
              Export CSV
            </Button>
            <Button formAction={paths.qrArchive} data-document>
              Download QR codes
            </Button>
          </div>
        </DetailsMenu>
        {selection.length > 0 && (
          <Button type="button" variant="quiet" onClick={clearSelection}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
