import { siteTimeZone } from "../../db/site.server";
import { listMachines } from "../../features/machines/machines.server";
import { machineActivity } from "../../features/machines/machine";
import { machineList } from "../../features/machines/machine-list";
import { readPlatformState } from "../../features/machines/platform-state.server";
import { toPlatformView } from "../../features/machines/platform-state.server";
import { filterParams, parseFilters } from "../../forms/list";
import { formatDateTime } from "../../format/date";
import { listView, readList } from "../../http/list.server";
import { readPreferences } from "../../http/preferences.server";

/** Reads the list that a URL asks for, and the cookie that remembers its settings. */
export async function readListScreen(request: Request) {
  const { headers, ...list } = readList(request, machineList);
  const { filters, errors } = parseFilters(machineList.filters, list.params);
  const [{ machines, total, page, countedAt }, platform] = await Promise.all([
    listMachines({ ...list.query, ...filters }),
    readPlatformState(),
  ]);
  const timeZone = siteTimeZone();
  const active = filterParams(machineList.filters, filters);
  const data = {
    ...listView(machineList, list, { active, errors }),
    rows: machines.map((machine) => ({
      id: machine.id,
      serialNumber: machine.serialNumber,
      humanName: machine.humanName,
      lastActive: timeView(machine.lastQrUsed, timeZone),
      activePromotions: machine.activePromotions,
      activity: machineActivity(machine.activePromotions),
    })),
    total,
    page,
    isFallback: page !== list.query.page,
    updated: timeView(countedAt, timeZone),
    isRefreshPaused: readPreferences(request).isRefreshPaused,
    platform: toPlatformView(platform, timeZone),
    staleReason: null as string | null,
  };
  return { data, headers };
}

/** For a <time>: its attribute and its text. */
function timeView(instant: Date | null, timeZone: string) {
  return instant && { iso: instant.toISOString(), text: formatDateTime(instant, timeZone) };
}
