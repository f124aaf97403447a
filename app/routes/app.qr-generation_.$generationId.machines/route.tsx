import type { MetaFunction } from "@remix-run/node";
import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import type { DialogReply } from "../../features/assignments/manage-machines/dialog-actions";
import { MachinesDialog } from "../../features/assignments/manage-machines/manage-machines";
import {
  keepDialogOnNetworkError,
  loadDialog,
} from "../../features/assignments/manage-machines/use-dialog";
import { machinesDialogAction, machinesDialogLoader } from "../../http/machines-dialog.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.wasRefused ? "Error: " : ""}Machines and groups - QR Generation - Promo Console`,
  },
];

export const loader = machinesDialogLoader("mass_generation");
export const action = machinesDialogAction("mass_generation");

export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return loadDialog(request, () => serverLoader<typeof loader>());
}

export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  return keepDialogOnNetworkError(request, () => serverAction<DialogReply>());
}

export default function GenerationMachines() {
  return <MachinesDialog owner="mass_generation" />;
}
