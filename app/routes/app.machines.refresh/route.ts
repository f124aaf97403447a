import { refreshFor } from "../../features/promotions/manage-machines/machine-promotions.server";
import { catchNetworkErrors, noAnswerMessage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor, safeRedirectPath } from "../../http/guards.server";
import { paths } from "../../paths";
import { unansweredMessage } from "../../ui/list/load-list";

const pressedOn = (posted?: FormData) => safeRedirectPath(posted?.get("returnTo"), paths.machines);

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: (_args, { posted }) => pressedOn(posted),
  async run({ session, posted }) {
    const message = await refreshFor(session.user.id);
    // Other pages don't show the rows that the message is about.
    const isList = pressedOn(posted).split("?")[0] === paths.machines;
    return { ...message, isAboutRows: isList && message.isAboutRows };
  },
});
export { action, loader };

// Only the list itself shows the rows that its message is about.
export const clientAction = catchNetworkErrors("Failed to refresh machines list", () =>
  location.pathname === paths.machines ? unansweredMessage(paths.machines) : noAnswerMessage,
);
