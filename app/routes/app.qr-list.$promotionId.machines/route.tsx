import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
  type ClientLoaderFunctionArgs,
} from "@remix-run/react";
import {
  listSearchOf,
  type DialogReply,
} from "../../features/promotions/manage-machines/dialog-actions";
import { promotionDialogView } from "../../features/promotions/manage-machines/dialog-view";
import { ManageMachines } from "../../features/promotions/manage-machines/manage-machines";
import { keepDialogOnNetworkError } from "../../features/promotions/manage-machines/dialog-network-errors";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { answerMachinesDialog } from "../../http/machines-dialog.server";
import { wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { About, LoadFailure } from "./about-promotion";
import { perform, readManagedMachines } from "./manage.server";
import { readInBrowser, useManagedMachines } from "./use-managed-machines";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}Manage Machines - QR List - Promo Console` },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { searchParams } = new URL(args.request.url);
  const data = await readManagedMachines(args.params.promotionId ?? "", searchParams);
  return json({ ...data, wasRefused: wasRefused(args.context) });
});

export function clientLoader({ request, params, serverLoader }: ClientLoaderFunctionArgs) {
  return readInBrowser(request, params.promotionId, () => serverLoader<typeof loader>());
}

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args, { canRestore: true });
  const id = args.params.promotionId ?? "";
  return answerMachinesDialog(args, session, paths.promotionMachines(id), (intent, ticked) =>
    perform(intent, id, ticked, session),
  );
});

export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  return keepDialogOnNetworkError(request, () => serverAction<DialogReply>());
}

export default function MachinesDialog() {
  const data = useLoaderData<typeof loader>();
  const returned = useActionData<DialogReply>();
  const { machines, failure, read } = useManagedMachines(data);
  const closeTo = `${paths.qrList}${listSearchOf(useLocation().search)}`;
  return (
    <DialogRoute
      title="Manage Machines"
      size="wide"
      closeTo={closeTo}
      returnFocusTo={`machines-${data.id}`}
    >
      <About {...data} isShared={machines?.isShared ?? false} />
      {failure && <LoadFailure onRetry={() => read("")}>{failure}</LoadFailure>}
      {machines && (
        <ManageMachines
          data={machines}
          path={paths.promotionMachines(data.id)}
          words={promotionDialogView}
          returned={returned}
          onSearch={read}
          canRefresh
        />
      )}
      {!machines && !failure && <p role="status">Loading...</p>}
      <DialogActions>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}
