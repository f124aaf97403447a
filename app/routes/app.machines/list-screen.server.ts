import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { machineActivity } from "../../features/machines/machine";
import { machineList } from "../../features/machines/machine-list";
import { listMachines } from "../../features/machines/machines.server";
import { readPlatformState, toPlatformView } from "../../features/machines/platform-state.server";
import { formatDateTime } from "../../format/date";
import { unavailableAs } from "../../http/answers.server";
import { loadList } from "../../http/list.server";
import { takeMessages } from "../../http/messages.server";
import { readPreferences } from "../../http/preferences.server";
import type { Session } from "../../http/sessions.server";
import { rowsMessagePrefix } from "../../lists/list-params";

export type MachineListData = SerializeFrom<typeof loadMachines>;

/** Answers with the list that a URL asks for. */
export async function loadMachines(args: LoaderFunctionArgs, session: Session) {
  return loadList(args.request, machineList, async ({ query, filters }) => {
    const [{ machines, total, page, countedAt }, platform] = await unavailableAs(
      "Failed to load machines data",
      args,
      () => Promise.all([listMachines({ ...query, ...filters }), readPlatformState()]),
    );
    const timeZone = siteTimeZone();
    return {
      rows: machines.map(({ id, serialNumber, humanName, lastQrUsed, activePromotions }) => ({
        id,
        serialNumber,
        humanName,
        lastActive: timeView(lastQrUsed, timeZone),
        activePromotions,
        activity: machineActivity(activePromotions),
      })),
      total,
      page,
      updated: timeView(countedAt, timeZone),
      isRefreshPaused: readPreferences(args.request).isRefreshPaused,
      platform: toPlatformView(platform, timeZone),
      staleReason: null as string | null,
      refreshed: await takeMessages(args, session, rowsMessagePrefix),
      canConfirm: session.user.role === "admin",
    };
  });
}

/** For a <time>: its attribute and its text. */
function timeView(instant: Date | null, timeZone: string) {
  return instant && { iso: instant.toISOString(), text: formatDateTime(instant, timeZone) };
}
