import { machinesAddress } from "../../features/machines/machine-list";
import { refreshFor } from "../../features/promotions/manage-machines/machine-promotions.server";
import { stayOnPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { unansweredMessage } from "../../ui/list/load-list";

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: (_args, { posted }) => machinesAddress(posted?.get("returnTo")),
  run: ({ session }) => refreshFor(session.user.id),
});
export { action, loader };

export const clientAction = stayOnPage("Failed to refresh machines list", () =>
  unansweredMessage(paths.machines),
);
