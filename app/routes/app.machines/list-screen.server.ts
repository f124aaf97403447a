import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { machineActivity } from "../../features/machines/machine";
import { machineList } from "../../features/machines/machine-list";
import { listGroupChoices } from "../../features/machines/machine-groups.server";
import { listMachines } from "../../features/machines/machines.server";
import { readPlatformState, toPlatformView } from "../../features/machines/platform-state.server";
import {
  listRefusing,
  readMachineUse,
  readWeek,
  type MachineUse,
} from "../../features/reports/machine-use.server";
import { toTimestampView } from "../../format/date";
import { unavailableAs } from "../../http/answers.server";
import { loadList } from "../../http/list.server";
import { takeMessages } from "../../http/messages.server";
import { readPreferences } from "../../http/preferences.server";
import type { Session } from "../../http/sessions.server";
import { rowsMessagePrefix } from "../../lists/list-params";

export type MachineListData = SerializeFrom<typeof loadMachines>;

export async function loadMachines(args: LoaderFunctionArgs, session: Session) {
  return loadList(args.request, machineList, async ({ query, filters }) => {
    const [{ machines, total, page, countedAt, use }, platform, groups] = await unavailableAs(
      "Failed to load machines data",
      args,
      () =>
        Promise.all([
          listUsedMachines({ ...query, ...filters }),
          readPlatformState(),
          listGroupChoices(),
        ]),
    );
    const timeZone = siteTimeZone();
    return {
      rows: machines.map(
        ({ id, serialNumber, humanName, lastQrUsed, isSilent, activePromotions }) => ({
          id,
          serialNumber,
          humanName,
          isSilent,
          activePromotions,
          lastActive: toTimestampView(lastQrUsed, timeZone),
          use: use.get(id) ?? noUse,
          activity: machineActivity(activePromotions),
        }),
      ),
      groups: groups.map(({ id, name }): [string, string] => [id, name]),
      total,
      page,
      updated: toTimestampView(countedAt, timeZone),
      isRefreshPaused: readPreferences(args.request).isRefreshPaused,
      platform: toPlatformView(platform, timeZone),
      staleReason: null as string | null,
      notices: await takeMessages(args, session, rowsMessagePrefix),
      canConfirm: session.user.role === "admin",
    };
  });
}

async function listUsedMachines(filters: Parameters<typeof listMachines>[0]) {
  const refusing = filters.use === "refused" ? await listRefusing() : [];
  const refusingIds = refusing.map(({ id }) => id);
  const [list, week] = await Promise.all([listMachines({ ...filters, refusingIds }), readWeek()]);
  const machineIds = list.machines.map(({ id }) => id);
  return { ...list, use: await readMachineUse(machineIds, week) };
}

const noUse: MachineUse = { lastDay: 0, lastWeek: 0, refused: 0, firstDay: "" };
