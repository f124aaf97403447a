import { useLoaderData } from "@remix-run/react";
import { machinesAddress } from "../../features/machines/machine-list";
import { confirmationLinkId } from "../../features/machines/platform-notes";
import { readHeldList } from "../../features/machines/platform-state.server";
import { confirmMissing } from "../../features/promotions/manage-machines/machine-promotions.server";
import { countOf, formatNumber } from "../../format/number";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { columns } from "../../ui/layout/layout.css";
import { ConfirmDialog } from "../../ui/modal/confirm-dialog";
import * as css from "./missing-machines.css";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask() {
    const held = await readHeldList();
    return {
      title: held ? "Are these machines gone?" : "Nothing to confirm",
      consequences: ["No machine is missing from SmartVend's list."],
      verb: held && `Mark ${countOf(held.missing, "machine")} as deleted`,
      pendingVerb: "Asking SmartVend...",
      isDangerous: true,
      closeTo: paths.machines,
      returnFocusTo: confirmationLinkId,
      failure: "Failed to refresh machines list",
      held,
    };
  },
  async run({ request, field, options: { actor } }) {
    const flagged = await confirmMissing(field("held"), { actor });
    const are = flagged === 1 ? "is" : "are";
    const text =
      flagged === 0
        ? "All machines are listed again. None was marked as deleted."
        : `${countOf(flagged, "machine")} ${are} marked "Deleted from SmartVend"`;
    return { to: machinesAddress(new URL(request.url).search), text };
  },
});
export { action, loader };

/** Says how many machines a held list lacks, which they are, and what confirming it means. */
export default function MissingMachinesDialog() {
  const { held, consequences } = useLoaderData<typeof loader>();
  if (!held) {
    return (
      <ConfirmDialog>
        <p>{consequences}</p>
      </ConfirmDialog>
    );
  }
  const { id, all, listed, machines, missing } = held;
  const rest = missing - machines.length;
  return (
    <ConfirmDialog fields={<input type="hidden" name="held" value={id} />}>
      <p>
        {`SmartVend lists ${listed === 0 ? "no machine" : countOf(listed, "machine")}. `}
        {`Of the ${countOf(all, "machine")} here, ${formatNumber(missing)} ${missing === 1 ? "is" : "are"} missing from its list:`}
      </p>
      <ul className={columns}>
        {machines.map(({ serialNumber, humanName }) => (
          <li key={serialNumber} className={css.machine}>
            <strong>{serialNumber}</strong> {humanName}
          </li>
        ))}
        {rest > 0 && <li>and {formatNumber(rest)} more</li>}
      </ul>
      <p>
        SmartVend is asked once more. Machines that are still missing are marked &apos;Deleted from
        SmartVend&apos; and accept no codes. Their assignments stay, and a machine returns when
        SmartVend lists it again.
      </p>
    </ConfirmDialog>
  );
}

export { clientAction, meta } from "../../ui/modal/confirm-dialog";
