import { MachinesDialog } from "../../features/assignments/manage-machines/manage-machines-dialog";
import { dialogClientLoader } from "../../features/assignments/manage-machines/use-dialog";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { pageMeta } from "../../forms/page-meta";
import { machinesDialogAction, machinesDialogLoader } from "../../http/machines-dialog.server";
import { paths } from "../../paths";
import { cachedRow } from "../../ui/table/list-cache";

export const meta = pageMeta("Manage Machines");

export const loader = machinesDialogLoader("promotion");
export const action = machinesDialogAction("promotion");

export const clientLoader = dialogClientLoader(({ promotionId }) => {
  const row = cachedRow<PromotionView>(paths.qrList, promotionId);
  return row && { ...row, size: null };
});

export default function PromotionMachines() {
  return <MachinesDialog owner="promotion" />;
}

export {
  clientAction,
  shouldRevalidate,
} from "../../features/assignments/manage-machines/use-dialog";
