import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { MachinesDialog } from "../../features/assignments/manage-machines/manage-machines-dialog";
import { loadDialog } from "../../features/assignments/manage-machines/use-dialog";
import { shownGeneration } from "../../features/mass-generations/shown-generation";
import { pageMeta } from "../../forms/page-meta";
import { formatCodes } from "../../format/promotion";
import { machinesDialogAction, machinesDialogLoader } from "../../http/machines-dialog.server";

export const meta = pageMeta("Machines and groups - QR Generation");

export const loader = machinesDialogLoader("mass_generation");
export const action = machinesDialogAction("mass_generation");

/** Over the page of its generation the dialog opens without a request; its lists follow. */
export function clientLoader({ request, params, serverLoader }: ClientLoaderFunctionArgs) {
  const generation = shownGeneration(params.generationId);
  const about = generation && {
    id: generation.id,
    name: generation.name,
    code: null,
    size: formatCodes(generation.numCodes),
    isDeleted: generation.status === "deleted",
    note: null,
  };
  return loadDialog(request, () => serverLoader<typeof loader>(), about);
}

export default function GenerationMachines() {
  return <MachinesDialog owner="mass_generation" />;
}

export {
  clientAction,
  shouldRevalidate,
} from "../../features/assignments/manage-machines/use-dialog";
