import { MachinesDialog } from "../../features/assignments/manage-machines/manage-machines-dialog";
import { dialogClientLoader } from "../../features/assignments/manage-machines/use-dialog";
import { currentGeneration } from "../../features/mass-generations/current-generation";
import { pageMeta } from "../../forms/page-meta";
import { formatCodes } from "../../format/promotion";
import { machinesDialogAction, machinesDialogLoader } from "../../http/machines-dialog.server";

export const meta = pageMeta("Manage Machines");

export const loader = machinesDialogLoader("mass_generation");
export const action = machinesDialogAction("mass_generation");

export const clientLoader = dialogClientLoader(({ generationId }) => {
  const generation = currentGeneration(generationId);
  return generation && { ...generation, code: null, size: formatCodes(generation.numCodes) };
});

export default function GenerationMachines() {
  return <MachinesDialog owner="mass_generation" />;
}

export {
  clientAction,
  shouldRevalidate,
} from "../../features/assignments/manage-machines/use-dialog";
