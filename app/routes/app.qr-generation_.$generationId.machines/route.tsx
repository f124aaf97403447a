import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { MachinesDialog } from "../../features/assignments/manage-machines/manage-machines";
import { loadDialog } from "../../features/assignments/manage-machines/use-dialog";
import { pageMeta } from "../../forms/page-meta";
import { machinesDialogAction, machinesDialogLoader } from "../../http/machines-dialog.server";

export const meta = pageMeta("Machines and groups - QR Generation");

export const loader = machinesDialogLoader("mass_generation");
export const action = machinesDialogAction("mass_generation");

export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return loadDialog(request, () => serverLoader<typeof loader>());
}

export default function GenerationMachines() {
  return <MachinesDialog owner="mass_generation" />;
}

export {
  clientAction,
  shouldRevalidate,
} from "../../features/assignments/manage-machines/use-dialog";
