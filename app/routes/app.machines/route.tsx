import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { useEffect } from "react";
import { siteTimeZone } from "../../db/site.server";
import { machineActivity } from "../../features/machines/machine";
import { machineList, machineTabs } from "../../features/machines/machine-list";
import { listMachines } from "../../features/machines/machines.server";
import { PlatformNotes } from "../../features/machines/platform-notes";
import { readPlatformState, toPlatformView } from "../../features/machines/platform-state.server";
import { pageMeta } from "../../forms/page-meta";
import { formatDateTime } from "../../format/date";
import { screenLoader, unavailableAs } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { readPreferences } from "../../http/preferences.server";
import { MessageBlock } from "../../ui/feedback/message-block";
import { notes } from "../../ui/layout/layout.css";
import { LinkTabs, Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { FilterBar } from "../../ui/table/filter-bar";
import { FailedPage } from "../../ui/table/failed-page";
import { ListNotes } from "../../ui/table/list-notes";
import { createListCache } from "../../ui/table/list-cache";
import * as css from "./list.css";
import { MachineTable, NoRows } from "./machine-table";

export type MachineListData = SerializeFrom<typeof loader>;

const listCache = createListCache<MachineListData>({
  failure: "Failed to load machines data.",
  showsAge: true,
});

export const handle = { hasTable: ({ total }: MachineListData) => total > 0 };

export const meta = pageMeta("Machines");

export const loader = screenLoader(requireUser, async (args, { user }) =>
  loadList(args.request, machineList, async ({ query, filters }) => {
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
      canConfirm: user.role === "admin",
    };
  }),
);

/** For a <time>: its attribute and its text. */
function timeView(instant: Date | null, timeZone: string) {
  return instant && { iso: instant.toISOString(), text: formatDateTime(instant, timeZone) };
}

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return listCache.load(() => serverLoader<typeof loader>());
}

export const shouldRevalidate = ignoreDialogs(({ searchParams }) =>
  [...searchParams].filter(([name]) => name !== "promos_page").join("&"),
);

export default function Machines() {
  const list = useLoaderData<typeof loader>();
  useEffect(() => listCache.store(list), [list]);
  const { total, staleReason } = list;
  return (
    <Page title="Machines">
      <div role="status" className={staleReason ? notes : undefined}>
        {staleReason && <MessageBlock kind="error">{staleReason}</MessageBlock>}
      </div>
      <ListNotes list={{ ...list, staleReason: null }} />
      <PlatformNotes state={list.platform} canConfirm={list.canConfirm} />
      <Outlet />
      <LinkTabs label="Views" tabs={machineTabs} />
      <FilterBar list={machineList} data={list} />
      <div className={css.rows}>
        {total === 0 ? <NoRows list={list} /> : <MachineTable list={list} />}
      </div>
    </Page>
  );
}

/** Replaces the list by a link that asks again. */
export function ErrorBoundary() {
  return (
    <FailedPage
      routeId="routes/app.machines"
      title="Machines"
      failure="Failed to load machines data"
    />
  );
}
