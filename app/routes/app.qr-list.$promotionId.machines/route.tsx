import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { MachinesDialog } from "../../features/assignments/manage-machines/manage-machines-dialog";
import { loadDialog } from "../../features/assignments/manage-machines/use-dialog";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { pageMeta } from "../../forms/page-meta";
import { machinesDialogAction, machinesDialogLoader } from "../../http/machines-dialog.server";
import { paths } from "../../paths";
import { cachedRow } from "../../ui/table/list-cache";

export const meta = pageMeta("Manage Machines - QR List");

export const loader = machinesDialogLoader("promotion");
export const action = machinesDialogAction("promotion");

/** Over the list the dialog opens without a request; its lists follow. */
export function clientLoader({ request, params, serverLoader }: ClientLoaderFunctionArgs) {
  const row = cachedRow<PromotionView>(paths.qrList, params.promotionId);
  const about = row && {
    id: row.id,
    name: row.name,
    code: row.code,
    size: null,
    isDeleted: row.status === "deleted",
    note: null,
  };
  return loadDialog(request, () => serverLoader<typeof loader>(), about);
}

export default function PromotionMachines() {
  return <MachinesDialog owner="promotion" />;
}

export {
  clientAction,
  shouldRevalidate,
} from "../../features/assignments/manage-machines/use-dialog";
