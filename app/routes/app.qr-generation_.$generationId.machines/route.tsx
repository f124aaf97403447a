import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  useActionData,
  useFetcher,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import {
  fieldNames,
  listSearchOf,
  type DialogReply,
  type Ticked,
} from "../../features/promotions/manage-machines/dialog-actions";
import { generationDialogView } from "../../features/promotions/manage-machines/dialog-view";
import { ManageMachines } from "../../features/promotions/manage-machines/manage-machines";
import { keepDialogOnNetworkError } from "../../features/promotions/manage-machines/dialog-network-errors";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { answerMachinesDialog } from "../../http/machines-dialog.server";
import { wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { AboutGeneration } from "./about-generation";
import { perform, readManagedGeneration } from "./manage.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.wasRefused ? "Error: " : ""}Machines and groups - QR Generation - Promo Console`,
  },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { searchParams } = new URL(args.request.url);
  const data = await readManagedGeneration(args.params.generationId ?? "", searchParams);
  return json({ ...data, wasRefused: wasRefused(args.context) });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args, { canRestore: true });
  const id = args.params.generationId ?? "";
  return answerMachinesDialog(args, session, paths.generationMachines(id), (intent, ticked) =>
    perform(intent, id, ticked, session),
  );
});

export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  return keepDialogOnNetworkError(request, () => serverAction<DialogReply>());
}

export default function GenerationMachinesDialog() {
  const data = useLoaderData<typeof loader>();
  const returned = useActionData<DialogReply>();
  // What was searched for on the server, where not everything is on the page.
  const found = useFetcher<typeof loader>();
  const path = paths.generationMachines(data.id);
  const closeTo = `${paths.generation(data.id)}${listSearchOf(useLocation().search)}`;

  function search(text: string, { machines, groups }: Ticked) {
    const query = new URLSearchParams({ [fieldNames.search]: text });
    for (const serialNumber of machines) query.append(fieldNames.machines, serialNumber);
    for (const groupId of groups) query.append(fieldNames.groups, groupId);
    found.load(`${path}?${query}`);
  }

  return (
    <DialogRoute
      title="Machines and groups"
      size="wide"
      closeTo={closeTo}
      returnFocusTo="generation-machines"
    >
      <AboutGeneration about={data} />
      <ManageMachines
        data={found.data ?? data}
        path={path}
        words={generationDialogView}
        returned={returned}
        onSearch={search}
      />
      <DialogActions>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}
