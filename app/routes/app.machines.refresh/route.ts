import { machinesAddress } from "../../features/machines/machine-list";
import { refreshFor } from "../../features/promotions/manage-machines/machine-promotions.server";
import { stayOnPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor } from "../../http/guards.server";

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: (_args, { posted }) => machinesAddress(posted?.get("returnTo")),
  run: (_args, { user }) => refreshFor(user.id),
});
export { action, loader };

/** Message of a refresh that got no answer; nothing was entered that could be lost. */
function serverUnavailableMessage(): string {
  const port = location.port || (location.protocol === "https:" ? "443" : "80");
  return `Server is not available. Please check if server is running on port ${port}.`;
}

export const clientAction = stayOnPage("Failed to refresh machines list", serverUnavailableMessage);
