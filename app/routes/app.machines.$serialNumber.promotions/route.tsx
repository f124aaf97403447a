import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { isRouteErrorResponse, useLoaderData, useLocation, useRouteError } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { getMachine } from "../../features/machines/machine-details.server";
import { listMachinePromotions } from "../../features/promotions/manage-machines/machine-promotions.server";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { machineOfAddress, unavailableAs } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { useListUrl } from "../../ui/table/list-url";
import { toDialogView, readPage } from "./dialog-view";
import { PromotionTable } from "./promotion-table";

export const meta: MetaFunction = () => [
  { title: "Machine Promotions - Machines - Promo Console" },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const page = readPage(new URL(args.request.url).searchParams);
  return unavailableAs("Failed to load the promotions of this machine", args, async () => {
    const machine = await getMachine(machineOfAddress(args.request));
    const list = await listMachinePromotions(machine.id, { page, perPage: 25 });
    return json(toDialogView(machine, list, siteTimeZone()));
  });
});

export default function MachinePromotionsDialog() {
  const dialog = useLoaderData<typeof loader>();
  const { machine, summary, counted } = dialog;
  const closeTo = paths.machines + useListUrl().search;
  return (
    <DialogRoute
      title="Machine Promotions"
      size="wide"
      closeTo={closeTo}
      returnFocusTo={`promos-${machine.id}`}
    >
      <p>
        <strong>{machine.serialNumber}</strong> {machine.humanName}
      </p>
      {machine.isDeleted && <MessageBlock kind="warning">Deleted from SmartVend</MessageBlock>}
      <p>
        {summary} {counted}
      </p>
      {dialog.rows.length > 0 && <PromotionTable dialog={dialog} />}
      <DialogActions>
        <ButtonLink to={paths.machine(machine.serialNumber)}>Show the machine</ButtonLink>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
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
          {isUnknown ? "Machine not found" : "Failed to load the promotions of this machine"}
        </MessageBlock>
      </div>
      <DialogActions>
        {!isUnknown && <ButtonLink to={pathname + search}>Try Again</ButtonLink>}
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}
