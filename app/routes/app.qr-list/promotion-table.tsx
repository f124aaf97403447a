// Without script: a table whose order and pages are links, a <details> with a form, and forms that read the list again or deactivate.
import type { SerializeFrom } from "@remix-run/node";
import { Form, useFetcher, useFetchers } from "@remix-run/react";
import { useState, type FormEvent } from "react";
import { promotionList } from "../../features/promotions/list/promotion-filters";
import type { PromotionStatus } from "../../features/promotions/promotion";
import {
  listColumns,
  statusLabels,
  type PromotionView,
} from "../../features/promotions/promotion-view";
import { StatusBadge } from "../../features/promotions/status-badge";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Button, ButtonLink, IconButton, IconRowLink } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { Choice } from "../../ui/form/field";
import { error as errorStyle, legend } from "../../ui/form/form.css";
import { Icon, type IconName } from "../../ui/icon/icon";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { EmptyState } from "../../ui/table/list-notes";
import { NothingMatches } from "../../ui/table/filter-bar";
import { columns as columnsForm } from "../../ui/table/filter-bar.css";
import { LinkedCode, ListTable, type Column } from "../../ui/table/table";
import { useListUrl } from "../../ui/table/list-url";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import { SelectBox, SelectHeader } from "./bulk-bar";
import * as css from "./qr-list.css";
import type { loader } from "./route";

export type PromotionListData = SerializeFrom<typeof loader>;

type ColumnName = keyof typeof listColumns;

/** Columns that are more than a text at the left. */
const special: { [Name in ColumnName]?: Partial<Column<PromotionView>> } = {
  created: {
    className: table.withNote,
    cell: ({ created, isNew }) => (
      <>
        {created} {isNew && <Badge tone="info">new</Badge>}
      </>
    ),
  },
  type: { isWide: true },
  discountType: { isWide: true },
  oneTime: { isWide: true },
  renewable: { isWide: true },
  used: { isNumber: true },
  usesLeft: { isNumber: true },
  status: { isBadge: true, cell: ({ status }) => <StatusBadge status={status} /> },
};

const columns = (Object.entries(listColumns) as [ColumnName, string][]).map(
  ([name, heading]): Column<PromotionView> & { name: string } => ({
    name,
    heading,
    sort: name in promotionList.sorts ? name : undefined,
    cell: (row) => row[name],
    ...special[name],
  }),
);

/** Facts that stand beneath the name where the table has no room for their columns. */
function foldedFacts(row: PromotionView, hidden: readonly string[]): string[] {
  const facts = {
    type: row.type,
    oneTime: row.oneTime === "Yes" ? "one-time" : "",
    renewable: row.renewable === "No" ? "" : `renews ${row.renewable.replace(/^Yes, /, "")}`,
  };
  return Object.entries(facts).flatMap(([name, text]) =>
    text === "" || hidden.includes(name) ? [] : text,
  );
}

export function PromotionTable({ list }: { list: PromotionListData }) {
  const { search } = useListUrl(promotionList);
  const rows = optimisticRows(list.rows, useFetchers());
  return (
    <ListTable
      caption="Promotions"
      list={promotionList}
      data={{ ...list, rows }}
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      columns={[
        {
          heading: "Select",
          header: <SelectHeader ids={rows.map(({ id }) => id)} />,
          cell: ({ id, name, code }) => <SelectBox id={id} name={`${name}, ${code}`} />,
        },
        {
          heading: "Name",
          sort: "name",
          isRowHeader: true,
          cell: (row) => <LinkedCode {...row} note={foldedFacts(row, list.hidden)} />,
        },
        ...columns.filter(({ name }) => !list.hidden.includes(name)),
        {
          heading: "Actions",
          hasActions: true,
          isBare: true,
          cell: (row) => <RowActions row={row} search={search} canRestore={list.isAdmin} />,
        },
      ]}
    />
  );
}

/** No promotion at all, or none that matches. */
export function NoRows({ list }: { list: PromotionListData }) {
  if (list.filters.length === 0) {
    return (
      <EmptyState
        icon="qr-list"
        title="No QR codes found"
        reason="Promotions appear here as soon as they are made."
        action={
          <ButtonLink to={paths.qrGeneration} variant="primary">
            Create your first QR code
          </ButtonLink>
        }
      />
    );
  }
  return <NothingMatches list={promotionList} noun="promotion" />;
}

function ListTools({ list }: { list: PromotionListData }) {
  const { search } = useListUrl(promotionList);
  const action = `${paths.qrList}${search}`;
  const { count, isCapped } = list.total;
  return (
    <>
      <p role="status" className={table.count}>
        {`${formatNumber(count)}${isCapped ? "+" : ""} ${count === 1 ? "promotion" : "promotions"}`}
      </p>
      <DetailsMenu summaryId="columns" summaryClass={button.quiet} summary="Columns">
        <Form method="post" action={action} preventScrollReset className={columnsForm}>
          <fieldset>
            <legend className={legend}>Columns beside name and actions</legend>
            {Object.entries(listColumns).map(([name, heading]) => (
              <Choice
                key={name}
                type="checkbox"
                name="columns"
                value={name}
                defaultChecked={!list.hidden.includes(name)}
              >
                {heading}
              </Choice>
            ))}
          </fieldset>
          <Button name="intent" value="columns">
            Apply columns
          </Button>
        </Form>
      </DetailsMenu>
      <Form method="post" action={action} preventScrollReset>
        <Button id="refresh-list" name="intent" value="refresh" variant="quiet" icon="refresh">
          Refresh
        </Button>
      </Form>
    </>
  );
}

/**
 * The rows as they will be when the deactivations under way succeed. One that fails is no longer
 * under way, and its row shows again what it is.
 * @param submissions requests in flight, of whatever kind
 */
export function optimisticRows<Row extends { id: string; status: PromotionStatus }>(
  rows: readonly Row[],
  submissions: readonly { formAction?: string | undefined }[],
): readonly Row[] {
  const addresses = new Set(submissions.map(({ formAction }) => formAction?.split("?")[0]));
  const isDeactivating = ({ id }: Row) => addresses.has(paths.promotionDeactivation(id));
  if (!rows.some(isDeactivating)) return rows;
  return rows.map((row) =>
    row.status === "active" && isDeactivating(row) ? { ...row, status: "inactive" } : row,
  );
}

type RowActionsProps = {
  row: PromotionView;
  /** The query string of the list, to which the actions return. */
  search: string;
};

/** Actions on one promotion of the list; only admins restore. */
function RowActions({ row, search, canRestore }: RowActionsProps & { canRestore: boolean }) {
  const { id, name, code, status } = row;
  const link = (control: string, icon: IconName, label: string, path: string) => (
    <IconRowLink id={`${control}-${id}`} icon={icon} label={label} href={path + search} />
  );
  return (
    <div className={table.rowActions} role="toolbar" aria-label={`Actions of ${name}, ${code}`}>
      {link("machines", "machine", `Machines of ${name}`, paths.promotionMachines(id))}
      {link("download", "download", `Download the QR code of ${name}`, paths.qrCode(id))}
      {status === "deleted" ? (
        <>
          <span className={css.unavailable} title="This promotion is deleted">
            <Icon name="trash" />
            <span className={visuallyHidden}>This promotion is deleted</span>
          </span>
          {canRestore &&
            link("restore", "restore", `Restore ${name}`, paths.promotionRestoring(id))}
        </>
      ) : (
        <>
          <DeactivateButton row={row} search={search} />
          {link("delete", "trash", `Delete ${name}`, paths.promotionDeletion(id))}
        </>
      )}
    </div>
  );
}

function DeactivateButton({ row: { id, name, status }, search }: RowActionsProps) {
  const fetcher = useFetcher<{ error?: string }>();
  const [wasPressed, setWasPressed] = useState(false);
  const isPending = fetcher.state !== "idle";
  const isPossible = status === "active" && !isPending;
  const action = `${paths.promotionDeactivation(id)}${search}`;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isPossible) return;
    setWasPressed(true);
    fetcher.submit(null, { method: "post", action, preventScrollReset: true });
  }

  return (
    <form method="post" action={action} onSubmit={submit}>
      <IconButton
        id={`deactivate-${id}`}
        icon="power"
        label={isPossible ? `Deactivate ${name}` : whyNot(name, status)}
        // The one that was pressed keeps the focus.
        disabled={!isPossible && !wasPressed}
        aria-disabled={!isPossible || undefined}
      />
      {wasPressed && (
        <span role="alert" className={errorStyle}>
          {!isPending && fetcher.data?.error}
        </span>
      )}
    </form>
  );
}

function whyNot(name: string, status: PromotionStatus): string {
  if (status === "inactive") return `${name} is inactive already`;
  return `${name} can't be deactivated: only an active promotion can, its status is ${statusLabels[status]}`;
}
