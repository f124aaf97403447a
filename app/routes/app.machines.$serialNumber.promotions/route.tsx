// Without script: the same; pages are links.
import { isRouteErrorResponse, useLoaderData, useLocation, useRouteError } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { useDeletedLabel } from "../../features/machines/has-platform";
import { getMachine } from "../../features/machines/machines.server";
import { listMachinePromotions } from "../../features/promotions/manage-machines/machine-promotions.server";
import { pageMeta } from "../../forms/page-meta";
import { type Errors, paramReader, parsePositive } from "../../lists/parse-list";
import { dialogSearch } from "../../lists/list-params";
import { screenLoader, unavailableAs } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { machineOfAddress } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { ListNotes } from "../../ui/table/list-notes";
import { useListUrl } from "../../ui/table/list-url";
import { note } from "#styles/global.css";
import { ListStatus, Pagination } from "../../ui/table/pagination";
import { type Column, Table } from "../../ui/table/table";
import { pageParameter, toDialogView, type DialogView } from "./dialog-view";

export const meta = pageMeta("Machine Promotions");

export const handle = { nameOf: ({ machine }: DialogView) => machine.humanName };

export const loader = screenLoader(requireUser, async (args) => {
  const errors: Errors = {};
  const read = paramReader(new URL(args.request.url).searchParams, errors);
  const page = read(pageParameter, 1, (text) => parsePositive(text, 999_999));
  return unavailableAs("Failed to load the codes of this machine", args, async () => {
    const machine = await getMachine(machineOfAddress(args.request));
    const list = await listMachinePromotions(machine.id, { page, perPage: 25 });
    return {
      ...toDialogView(machine, list, siteTimeZone()),
      messages: Object.values(errors),
      isFallback: list.page !== page,
    };
  });
});

export default function MachinePromotionsDialog() {
  const dialog = useLoaderData<typeof loader>();
  const { machine, summary, counted } = dialog;
  const closeTo = paths.machines + useListUrl().search;
  const deletedLabel = useDeletedLabel();
  return (
    <DialogRoute title="Machine Promotions" size="wide" closeTo={closeTo}>
      <p>
        <strong>{machine.serialNumber}</strong> {machine.humanName}
      </p>
      <ListNotes list={dialog}>
        {machine.isDeleted && <MessageBlock kind="warning">{deletedLabel}</MessageBlock>}
      </ListNotes>
      <p>
        {summary} {counted}
      </p>
      <ListStatus data={dialog} noun="campaign" />
      {dialog.rows.length > 0 && <PromotionTable dialog={dialog} />}
      <DialogActions>
        <ButtonLink to={paths.machine(machine.serialNumber)}>Show machine</ButtonLink>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}

const columns: Column<DialogView["rows"][number]>[] = [
  {
    heading: "Campaign",
    isRowHeader: true,
    cell: ({ kind, id, name }) => (
      <>
        <a href={kind === "generation" ? paths.generation(id) : paths.promotion(id)}>{name}</a>
        {kind === "generation" && <span className={note}>Mass Gen</span>}
      </>
    ),
  },
  { heading: "Discount", cell: ({ discount }) => discount },
  { heading: "One-time", cell: ({ singleUse }) => singleUse },
  { heading: "Codes", isNumber: true, cell: ({ codes }) => codes },
];

function PromotionTable({ dialog }: { dialog: DialogView }) {
  const { pathname, search } = useLocation();
  const { machine, rows, total, page, perPage } = dialog;
  const urlOf = ({ page: target = "1" }: Record<string, string>) => {
    const params = new URLSearchParams(dialogSearch(new URLSearchParams(search)));
    params.set(pageParameter, target);
    return `${pathname}?${params}`;
  };
  return (
    <Table
      id="promotions"
      caption={`Campaigns of ${machine.serialNumber}`}
      columns={columns}
      rows={rows}
      rowKey="key"
      fits
      footer={
        total > perPage && (
          <Pagination
            page={{ page, perPage, total }}
            rowCount={rows.length}
            urlOf={urlOf}
            label="Pages of campaigns"
            isInDialog
          />
        )
      }
    />
  );
}

/** The list stays where it is, whatever can't be read about one machine of it. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const closeTo = paths.machines + useListUrl().search;
  const isUnknown = isRouteErrorResponse(error) && error.status === 404;
  return (
    <DialogRoute title="Machine Promotions" closeTo={closeTo} returnFocusTo="table">
      <div role="alert">
        <MessageBlock kind="error">
          {isUnknown ? "Machine not found" : "Failed to load the codes of this machine"}
        </MessageBlock>
      </div>
      <DialogActions>
        {!isUnknown && <ButtonLink to={pathname + search}>Try Again</ButtonLink>}
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}
