// Without script: a table whose order and pages are links, a <details> with a form, and a form that reads the list again.
import type { SerializeFrom } from "@remix-run/node";
import { Form, useFetchers } from "@remix-run/react";
import { promotionList } from "../../features/promotions/list/promotion-filters";
import { listColumns, type PromotionView } from "../../features/promotions/promotion-view";
import { StatusBadge } from "../../features/promotions/status-badge";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Button, ButtonLink } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { Choice } from "../../ui/form/field";
import { legend } from "../../ui/form/form.css";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { EmptyState } from "../../ui/table/list-notes";
import { NothingMatches } from "../../ui/table/filter-bar";
import { columns as columnsForm } from "../../ui/table/filter-bar.css";
import { LinkedCode, ListTable, type Column } from "../../ui/table/table";
import { useListUrl } from "../../ui/table/list-url";
import * as table from "../../ui/table/table.css";
import { SelectBox, SelectHeader } from "./bulk-bar";
import { optimisticRows } from "./optimistic-rows";
import type { loader } from "./route";
import { RowActions } from "./row-actions";

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
  used: { isNumber: true },
  usesLeft: { isNumber: true },
  status: {
    isBadge: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
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
          header: <SelectHeader />,
          cell: ({ id, name }) => <SelectBox id={id} name={name} />,
        },
        {
          heading: "Name",
          sort: "name",
          isRowHeader: true,
          cell: ({ id, name, code }) => (
            <LinkedCode to={paths.promotion(id)} name={name} code={code} />
          ),
        },
        ...columns.filter(({ name }) => !list.hidden.includes(name)),
        {
          heading: "Actions",
          isNumber: true,
          isBare: true,
          className: table.actions,
          cell: (row) => <RowActions row={row} search={search} />,
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
  return (
    <>
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
      <ButtonLink
        id="saved-views"
        to={`${paths.savedViews}${search}`}
        preventScrollReset
        variant="quiet"
      >
        Views
      </ButtonLink>
      <Form method="post" action={action} preventScrollReset>
        <Button id="refresh-list" name="intent" value="refresh" variant="quiet" icon="refresh">
          Refresh
        </Button>
      </Form>
    </>
  );
}
