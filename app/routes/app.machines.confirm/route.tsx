import { useLoaderData } from "@remix-run/react";
import { machinesAddress } from "../../features/machines/machines-address";
import { confirmationLinkId } from "../../features/machines/platform-notes";
import { readHeldList } from "../../features/machines/platform-state.server";
import { formatMachines } from "../../features/machines/platform-view";
import { confirmMissing } from "../../features/promotions/manage-machines/refresh-machines.server";
import { keepPage } from "../../forms/network-errors";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";
import { confirmedText, MissingMachines } from "./missing-machines";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask() {
    const held = await readHeldList();
    return {
      pageTitle: "Missing machines - Machines",
      title: "Are these machines gone?",
      consequences: ["There is nothing to confirm: no machine is missing from SmartVend's list."],
      verb: held && `Mark ${formatMachines(held.missing)} as deleted`,
      pendingVerb: "Asking SmartVend...",
      isDangerous: true,
      closeTo: paths.machines,
      returnFocusTo: confirmationLinkId,
      failure: "Failed to refresh machines list",
      held,
    };
  },
  async run({ request }, { actor }) {
    const held = (await request.formData()).get("held");
    const flagged = await confirmMissing(String(held ?? ""), { actor });
    return { to: machinesAddress(new URL(request.url).search), text: confirmedText(flagged) };
  },
});
export { action, loader };

export default function MissingMachinesDialog() {
  const { held, consequences } = useLoaderData<typeof loader>();
  return (
    <ConfirmDialog fields={held && <input type="hidden" name="held" value={held.id} />}>
      {held ? <MissingMachines held={held} /> : <p>{consequences}</p>}
    </ConfirmDialog>
  );
}

export const clientAction = keepPage("");
export { questionMeta as meta } from "../../ui/overlay/confirm-dialog";
