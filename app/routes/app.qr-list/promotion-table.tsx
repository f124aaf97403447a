// Without script: a table whose order and pages are links, a <details> with a form, and forms that read the list again or deactivate.
import type { SerializeFrom } from "@remix-run/node";
import { Form, useFetcher, useFetchers } from "@remix-run/react";
import { useState, type FormEvent } from "react";
import { campaignList, promotionList } from "../../features/promotions/list/promotion-filters";
import type { PromotionStatus } from "../../features/promotions/promotion";
import {
  listColumns,
  statusLabels,
  type PromotionView,
} from "../../features/promotions/promotion-view";
import { StatusBadge } from "../../features/promotions/status-badge";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Button, ButtonLink, IconButton, IconRowLink } from "../../ui/form/button";
import { button, hiddenOnPhone } from "../../ui/form/button.css";
import { Choice } from "../../ui/form/field";
import { error as errorStyle, legend } from "../../ui/form/form.css";
import { Icon, type IconName } from "../../ui/icon/icon";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { EmptyState } from "../../ui/table/list-notes";
import { NothingMatches } from "../../ui/table/filter-bar";
import { columns as columnsForm } from "../../ui/table/filter-bar.css";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { LinkedCode, type Column } from "../../ui/table/table";
import { useListUrl } from "../../ui/table/list-url";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import { SelectBox, SelectHeader, useSelectBoxes } from "./bulk-bar";
import * as css from "./qr-list.css";
import type { loader } from "./route";

export type PromotionListData = SerializeFrom<typeof loader>;

type ColumnName = keyof typeof listColumns;

/** Columns that are more than a text at the left. */
const special: { [Name in ColumnName]?: Partial<Column<PromotionView>> } = {
  created: {
    className: table.notInCards,
    isBare: true,
    cell: ({ created, isNew }) => (
      <>
        {`${created} `}
        {isNew && <Badge tone="info">new</Badge>}
      </>
    ),
  },
  type: { isWide: true },
  discountType: { isWide: true },
  discount: { isBare: true },
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
    // Its page says who made it.
    type: row.isGeneration ? "Mass Gen" : row.type,
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
  const boxes = useSelectBoxes();
  return (
    <ListTable
      caption="Promotions"
      list={list.isCampaigns ? campaignList : promotionList}
      data={{ ...list, rows }}
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      columns={[
        {
          heading: "Select",
          isSelection: true,
          header: <SelectHeader rows={rows} />,
          cell: (row) => <SelectBox {...boxes} row={row} label={rowLabel(row)} />,
        },
        {
          heading: "Name",
          sort: "name",
          isRowHeader: true,
          cell: (row) => (
            <LinkedCode
              {...row}
              to={row.isGeneration ? paths.generation(row.massGenerationId!) : undefined}
              note={foldedFacts(row, list.hidden)}
            />
          ),
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

/** No promotion at all, none that is deleted, or none that matches. */
export function NoRows({ list }: { list: PromotionListData }) {
  if (list.filters.length > 0) return <NothingMatches list={promotionList} noun="promotion" />;
  if (list.isDeleted) {
    return (
      <EmptyState
        icon="trash"
        title="No deleted promotions"
        reason="Deleted promotions appear here. An admin can restore them."
      />
    );
  }
  return (
    <EmptyState
      icon="qr-list"
      title="No QR codes found"
      reason="Promotions appear here as soon as they are created."
      action={
        <ButtonLink to={paths.qrGeneration} variant="primary">
          Create your first QR code
        </ButtonLink>
      }
    />
  );
}

function ListTools({ list }: { list: PromotionListData }) {
  const { search } = useListUrl(promotionList);
  const action = `${paths.qrList}${search}`;
  return (
    <>
      <RowCount total={list.total} noun={list.noun} />
      <DetailsMenu summaryId="columns" summaryClass={button.quiet} summary="Columns">
        <Form method="post" action={action} preventScrollReset className={columnsForm}>
          <fieldset>
            <legend className={legend}>Visible columns</legend>
            <input type="hidden" name="columns" />
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
          <span className={hiddenOnPhone}>Refresh</span>
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

/** Tells rows of one name apart. */
const rowLabel = ({ name, code }: PromotionView) => `${name}, ${code}`;

type RowActionsProps = {
  row: PromotionView;
  /** The query string of the list, to which the actions return. */
  search: string;
};

/** Addresses of a row's actions: dialogs over the list, or over the page of a mass generation. */
function actionPaths({ id, massGenerationId, isGeneration }: PromotionView, search: string) {
  if (!isGeneration)
    return {
      machines: paths.promotionMachines(id) + search,
      download: paths.qrCode(id) + search,
      delete: paths.promotionDeletion(id) + search,
      restore: paths.promotionRestoring(id) + search,
    };
  return {
    machines: paths.generationMachines(massGenerationId!),
    download: paths.generationArchive(massGenerationId!),
    delete: paths.generationDeletion(massGenerationId!),
    restore: paths.generationRestoring(massGenerationId!),
  };
}

/** Actions on one row of the list; only admins restore. */
function RowActions({ row, search, canRestore }: RowActionsProps & { canRestore: boolean }) {
  const { status, isGeneration } = row;
  const label = rowLabel(row);
  const to = actionPaths(row, search);
  const link = (action: keyof typeof to, icon: IconName, verb: string) => (
    <IconRowLink
      icon={icon}
      label={`${verb} ${label}`}
      href={to[action]}
      data-document={(isGeneration && action === "download") || undefined}
    />
  );
  return (
    <div className={table.rowActions}>
      {link("machines", "machine", "Machines of")}
      {link(
        "download",
        "download",
        isGeneration ? "Download the codes of" : "Download the QR code of",
      )}
      {status === "deleted" ? (
        <>
          <span className={css.unavailable} title="This promotion is deleted">
            <Icon name="trash" />
            <span className={visuallyHidden}>This promotion is deleted</span>
          </span>
          {canRestore && link("restore", "restore", "Restore")}
        </>
      ) : (
        <>
          {isGeneration ? (
            <DeactivateLink row={row} search={search} />
          ) : (
            <DeactivateButton row={row} search={search} />
          )}
          {link("delete", "trash", "Delete")}
        </>
      )}
    </div>
  );
}

/** Leads to the confirmation for all codes of a mass generation. */
function DeactivateLink({ row, search }: RowActionsProps) {
  const label = rowLabel(row);
  if (row.status !== "active")
    return <IconButton icon="power" label={whyNot(label, row.status)} disabled />;
  const params = new URLSearchParams(search);
  params.set("intent", "deactivate");
  params.set("ids", `g${row.massGenerationId}`);
  return (
    <IconRowLink icon="power" label={`Deactivate ${label}`} href={`${paths.bulk}?${params}`} />
  );
}

function DeactivateButton({ row, search }: RowActionsProps) {
  const { id, status } = row;
  const label = rowLabel(row);
  const fetcher = useFetcher<{ error?: string }>();
  const [wasPressed, setWasPressed] = useState(false);
  const isPossible = status === "active" && fetcher.state === "idle";
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
        icon="power"
        label={isPossible ? `Deactivate ${label}` : whyNot(label, status)}
        // The one that was pressed keeps the focus.
        disabled={!isPossible && !wasPressed}
        aria-disabled={(!isPossible && wasPressed) || undefined}
      />
      {wasPressed && (
        <span role="alert" className={errorStyle}>
          {isPossible && fetcher.data?.error}
        </span>
      )}
    </form>
  );
}

function whyNot(label: string, status: PromotionStatus): string {
  if (status === "inactive") return `${label} is already inactive`;
  return `${label} can't be deactivated: its status is ${statusLabels[status]}`;
}
