import { machinesAddress } from "../../features/machines/machine-list";
import { refreshFor } from "../../features/promotions/manage-machines/machine-promotions.server";
import { stayOnPage, serverUnavailableMessage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";

const { loader, action } = immediateRoute({
  guard: requireUser,
  back: (_args, { posted }) => machinesAddress(posted?.get("returnTo")),
  run: (_args, { user }) => refreshFor(user.id),
});
export { action, loader };

export const clientAction = stayOnPage("Failed to refresh machines list", serverUnavailableMessage);
