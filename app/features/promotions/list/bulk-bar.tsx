// Without script: a form after the table, to which its boxes belong; its buttons open the next page.
import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import type { FormEvent } from "react";
import { muted } from "#styles/global.css";
import { formId, rowKey, useSelectionOfBoxes, useTickedRows } from "./select-boxes";
import { clearSelection, maxSelected, useSelection } from "../../../ui/list/selection";
import { formatNumber } from "../../../format/number";
import { paths } from "../../../paths";
import { Button } from "../../../ui/form/button";
import { button } from "../../../ui/form/button.css";
import { Choice } from "../../../ui/form/field";
import { Icon } from "../../../ui/icon/icon";
import { DetailsMenu } from "../../../ui/overlay/details-menu";
import { bulkActions, bulkLabels, isForAdmins, type BulkAction } from "../lifecycle/bulk-actions";
import type { PromotionView } from "../promotion-view";
import * as css from "./bulk-bar.css";
import { listParams } from "./promotion-filters";

type BulkBarProps = {
  list: {
    rows: readonly PromotionView[];
    /** Names the rows of all pages. */
    allLabel: string;
    /** Names and values of the filters that are set. */
    filters: readonly [string, string][];
    /** Whether the reader may do what is for admins. */
    isAdmin: boolean;
  };
};

/** Actions on the ticked rows, or on all that match the filter. */
export function BulkBar({ list }: BulkBarProps) {
  const { allLabel, isAdmin, rows } = list;
  const ids = rows.map(rowKey);
  const filters = listParams(useSearchParams()[0]);
  const navigate = useNavigate();
  useSelectionOfBoxes(rows);
  const selection = useSelection();
  const elsewhere = selection.filter((id) => !ids.includes(id));
  const { count } = useTickedRows(ids);
  const selectPage = new URLSearchParams([...filters, ["select", "page"]]);

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
      onReset={({ currentTarget }) => {
        clearSelection();
        currentTarget.focus();
      }}
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
      <Choice key={`${allLabel} ${list.filters}`} type="checkbox" name="all" value="true">
        {allLabel}
      </Choice>
      <BulkButtons isAdmin={isAdmin} canClear={selection.length > 0} />
    </form>
  );
}

type BulkButtonsProps = { isAdmin: boolean; canClear: boolean };

/** The first actions and deletion as buttons, the others and the downloads in a menu. */
function BulkButtons({ isAdmin, canClear }: BulkButtonsProps) {
  const actions = bulkActions.filter((action) => isAdmin || !isForAdmins(action));
  const isInBar = (action: BulkAction, index: number) => index < 3 || action === "delete";
  const actionButton = (action: BulkAction) => (
    <Button key={action} name="intent" value={action}>
      {bulkLabels[action]}
    </Button>
  );
  return (
    <div className={css.buttons}>
      {actions.filter(isInBar).map(actionButton)}
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
          {actions.filter((action, index) => !isInBar(action, index)).map(actionButton)}
          <Button formAction={paths.exportCsv} data-document>
            Export CSV
          </Button>
          <Button formAction={paths.qrArchive} data-document>
            Download QR codes
          </Button>
        </div>
      </DetailsMenu>
      {canClear && (
        <Button type="reset" variant="quiet">
          Clear
        </Button>
      )}
    </div>
  );
}
