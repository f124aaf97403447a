// Without script: boxes that belong to a form after the table; its buttons open the next page.
import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useState, type FormEvent } from "react";
import {
  bulkActions,
  bulkTexts,
  isForAdmins,
  listParams,
} from "../../features/promotions/lifecycle/bulk-actions";
import { formatCount } from "../../format/number";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { Choice } from "../../ui/form/field";
import { checkbox } from "../../ui/form/form.css";
import { actions as buttons } from "../../ui/layout/layout.css";
import { muted, visuallyHidden } from "#styles/global.css";
import type { PromotionListData } from "./promotion-table";
import * as css from "./qr-list.css";

const formId = "bulk";

function rowBoxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`input[name=ids][form=${formId}]`)];
}

/** The checkbox of a row; `select=page` in the URL ticks all of the page, as it does without scripts. */
export function SelectBox({ id, name }: { id: string; name: string }) {
  const isSelected = useSearchParams()[0].get("select") === "page";
  return (
    <input
      key={String(isSelected)}
      type="checkbox"
      name="ids"
      value={id}
      form={formId}
      defaultChecked={isSelected}
      className={checkbox}
      aria-label={`Select ${name}`}
    />
  );
}

/** The header of the checkboxes: with scripts it ticks them all. */
export function SelectHeader() {
  const { ticked, count } = useTicked();
  return (
    <th scope="col">
      {count === 0 ? (
        <span className={visuallyHidden}>Select</span>
      ) : (
        <input
          type="checkbox"
          className={checkbox}
          aria-label="Select this page"
          checked={ticked === count}
          ref={(box) => {
            if (box) box.indeterminate = ticked > 0 && ticked < count;
          }}
          onChange={({ currentTarget }) => tickAll(currentTarget.checked)}
        />
      )}
    </th>
  );
}

function tickAll(isTicked: boolean): void {
  for (const box of rowBoxes()) box.checked = isTicked;
  document.dispatchEvent(new Event("change"));
}

/** Counts the ticked rows; 0 of 0 until scripts run. */
function useTicked() {
  const [counts, setCounts] = useState({ ticked: 0, count: 0 });
  // After every change of the list: rows come and go with their boxes.
  useEffect(() => {
    const update = () => {
      const boxes = rowBoxes();
      const ticked = boxes.filter((box) => box.checked).length;
      setCounts((before) =>
        before.ticked === ticked && before.count === boxes.length
          ? before
          : { ticked, count: boxes.length },
      );
    };
    update();
    document.addEventListener("change", update);
    return () => document.removeEventListener("change", update);
  });
  return counts;
}

/** Exports all rows that match the filter, not only this page. */
export function ExportLink() {
  const kept = listParams(useSearchParams()[0]);
  return (
    <ButtonLink to={`${paths.exportCsv}?${kept}`} reloadDocument icon="download">
      Export CSV
    </ButtonLink>
  );
}

/** Actions on the ticked rows, or on all that match the filter. */
export function BulkBar({ list: { isAdmin, total } }: { list: PromotionListData }) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { ticked, count } = useTicked();
  const actions = bulkActions.filter((action) => isAdmin || !isForAdmins(action));
  const kept = listParams(params);
  const selectPage = new URLSearchParams([...kept, ["select", "page"]]);

  /** Leaves downloads to the browser and navigates to pages without loading a document. */
  function follow(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    if (!button || "document" in button.dataset) return;
    event.preventDefault();
    const fields = new FormData(event.currentTarget) as unknown as Iterable<[string, string]>;
    navigate(`${paths.bulk}?${new URLSearchParams([...fields, [button.name, button.value]])}`);
  }

  return (
    <form
      id={formId}
      method="get"
      action={paths.bulk}
      className={css.bar}
      aria-label="Selected codes"
      onSubmit={follow}
    >
      <input type="hidden" name="ticked" value="1" />
      {[...kept].map(([name, value], index) => (
        <input key={`${name}-${index}`} type="hidden" name={name} value={value} />
      ))}
      <span role="status" className={muted}>
        {count > 0 && `${ticked} of ${count} on this page selected`}
      </span>
      {count === 0 && (
        <Link to={`${paths.qrList}?${selectPage}#${formId}`} preventScrollReset>
          Select this page
        </Link>
      )}
      <Choice type="checkbox" name="all" value="true">
        All {formatCount(total)} that match
      </Choice>
      <div className={buttons}>
        {actions.map((action) => (
          <Button key={action} name="intent" value={action} size="small">
            {bulkTexts[action].button}
          </Button>
        ))}
        <Button formAction={paths.exportCsv} size="small" data-document>
          Export CSV
        </Button>
        <Button formAction={paths.qrArchive} size="small" data-document>
          Download QR codes
        </Button>
      </div>
    </form>
  );
}
