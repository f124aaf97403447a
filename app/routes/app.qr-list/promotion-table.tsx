// Without script: a table whose order and pages are links, and forms that read the list again or choose its columns.
import { Form, Link, useFetchers, useSearchParams } from "@remix-run/react";
import { listColumns } from "../../features/promotions/list/list-columns";
import { qrListColumns } from "../../features/promotions/list/promotion-columns";
import {
  campaignList,
  isCampaignView,
  listParams,
  promotionList,
} from "../../features/promotions/list/promotion-filters";
import { optimisticRows, RowActions, rowLabel } from "../../features/promotions/list/row-actions";
import {
  SelectBox,
  SelectHeader,
  useSelectBoxes,
} from "../../features/promotions/list/select-boxes";
import { MaskedNote, useCanEdit } from "../../features/sign-in/viewer";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { hiddenOnPhone } from "../../ui/form/button.css";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { ColumnChooser } from "../../ui/list/column-chooser";
import { NothingMatches } from "../../ui/list/nothing-matches";
import { EmptyState } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/list/list-table";
import { useListUrl } from "../../ui/table/list-url";
import type { Column } from "../../ui/table/table";
import type { PromotionListData } from "./list-screen.server";

/** Actions of the screen. The exports have all that matches the filter, not only this page. */
export function ListActions() {
  const isEditor = useCanEdit();
  const filters = listParams(useSearchParams()[0]);
  const isCampaigns = isCampaignView(filters);
  return (
    <>
      <ButtonLink to={`${paths.exportCsv}?${filters}`} reloadDocument icon="download">
        <span className={hiddenOnPhone}>Export {isCampaigns ? "campaigns" : "CSV"}</span>
      </ButtonLink>
      {isCampaigns && (
        <ButtonLink to={`${paths.exportCsv}?${filters}&ticked=1&all=true`} reloadDocument>
          Export codes
        </ButtonLink>
      )}
      {isEditor && (
        <ButtonLink to={paths.qrGeneration} variant="primary" icon="plus">
          New code
        </ButtonLink>
      )}
    </>
  );
}

type Row = PromotionListData["rows"][number];

export function PromotionTable({ list }: { list: PromotionListData }) {
  const { search } = useListUrl(promotionList);
  const rows = optimisticRows(list.rows, useFetchers());
  const boxes = useSelectBoxes();
  const isEditor = useCanEdit();
  const selection: Column<Row> = {
    heading: "Select",
    isSelection: true,
    header: <SelectHeader rows={rows} />,
    cell: (row) => <SelectBox {...boxes} row={row} label={rowLabel(row)} />,
  };
  const actions: Column<Row> = {
    heading: "Actions",
    hasActions: true,
    isBare: true,
    cell: (row) => <RowActions row={row} search={search} isAdmin={list.isAdmin} />,
  };
  return (
    <ListTable
      caption={list.isCampaigns ? "Campaigns" : "Codes"}
      list={list.isCampaigns ? campaignList : promotionList}
      data={{ ...list, rows }}
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      columns={[
        ...(isEditor ? [selection] : []),
        ...qrListColumns(list.hidden),
        ...(isEditor ? [actions] : []),
      ]}
    />
  );
}

/** Says why there are no rows: no code at all, none that is deleted, or none that matches. */
export function NoRows({ list }: { list: PromotionListData }) {
  const isEditor = useCanEdit();
  if (list.filters.length > 0) return <NothingMatches list={promotionList} noun={list.noun} />;
  if (list.isDeleted) {
    return (
      <EmptyState
        icon="trash"
        title="No deleted codes"
        reason="Deleted codes appear here. An admin can restore them."
      />
    );
  }
  return (
    <EmptyState
      icon="qr-list"
      title="No QR codes found"
      reason="Codes appear here as soon as they are created."
      action={
        isEditor && (
          <ButtonLink to={paths.qrGeneration} variant="primary">
            Create your first QR code
          </ButtonLink>
        )
      }
    />
  );
}

function ListTools({ list }: { list: PromotionListData }) {
  const { search } = useListUrl(promotionList);
  const action = `${paths.qrList}${search}`;
  return (
    <>
      <RowCount total={list.total} noun={list.noun}>
        {list.campaigns && (
          <>
            {` · ${list.campaigns.text} `}
            <Link to={list.campaigns.to}>Show campaigns</Link>
          </>
        )}
      </RowCount>
      <MaskedNote />
      <ColumnChooser
        action={action}
        columns={listColumns}
        hidden={list.hidden}
        foldedNote={list.foldedNote}
      />
      <Form method="post" action={action} preventScrollReset>
        <Button id="refresh-list" name="intent" value="refresh" variant="quiet" icon="refresh">
          <span className={hiddenOnPhone}>Refresh</span>
        </Button>
      </Form>
    </>
  );
}
