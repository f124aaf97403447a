import { siteTimeZone } from "../../db/site.server";
import { listMachines } from "../../features/machines/list-machines.server";
import { machineActivity, type Machine } from "../../features/machines/machine";
import { parseMachineList } from "../../features/machines/machine-list";
import { readPlatformState } from "../../features/machines/platform-state.server";
import { toPlatformView } from "../../features/machines/platform-view";
import { formatDateTime } from "../../format/date";
import { readMachinesCookie, rememberingMachines } from "../../http/machines-cookie.server";
import { readPreferences } from "../../http/preferences.server";

/** What the list shows for an address, in words, and the cookie that remembers how. */
export async function readListScreen(request: Request) {
  const params = new URL(request.url).searchParams;
  const { query, filters, problems } = parseMachineList(params, readMachinesCookie(request));
  const [{ machines, total, page, countedAt }, platform] = await Promise.all([
    listMachines({ ...query, ...filters }),
    readPlatformState(),
  ]);
  if (page !== query.page) problems.push("That page has no rows: this is the nearest one");
  const timeZone = siteTimeZone();
  const data = {
    rows: machines.map((machine) => toMachineView(machine, timeZone)),
    total,
    page,
    perPage: query.perPage,
    sort: query.sort,
    // A bad value stays in its field.
    typed: { serial_number: params.get("serial_number") ?? "", name: params.get("name") ?? "" },
    isFiltered: filters.serialNumber !== "" || filters.name !== "",
    updated: momentOf(countedAt, timeZone),
    isRefreshPaused: readPreferences(request).isRefreshPaused,
    platform: toPlatformView(platform, timeZone),
    problems,
    staleReason: null as string | null,
  };
  const isGood = (name: string) =>
    params.get(name) && !problems.includes(`The value of '${name}' is not valid`);
  const headers = rememberingMachines(request, {
    ...(isGood("sort") && { sort: query.sort }),
    ...(isGood("per_page") && { perPage: query.perPage }),
  });
  return { data, headers };
}

function toMachineView(machine: Machine, timeZone: string) {
  return {
    id: machine.id,
    serialNumber: machine.serialNumber,
    humanName: machine.humanName,
    lastActive: momentOf(machine.lastQrUsed, timeZone),
    activePromotions: machine.activePromotions,
    activity: machineActivity(machine.activePromotions),
  };
}

/** For a <time>: what a machine reads, and what people read. */
function momentOf(instant: Date | null, timeZone: string) {
  return instant && { iso: instant.toISOString(), words: formatDateTime(instant, timeZone) };
}
