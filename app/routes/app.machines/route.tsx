import { Outlet, useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { machineList, machineTabs } from "../../features/machines/machine-list";
import { PlatformNotes } from "../../features/machines/platform-notes";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { LinkTabs, Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { FailedPage } from "../../ui/table/failed-page";
import { FilterBar } from "../../ui/list/filter-bar";
import { useListCache } from "../../ui/table/list-cache";
import { ListNotes } from "../../ui/table/list-notes";
import { ListStatus } from "../../ui/table/pagination";
import { loadListOrCached } from "../../ui/list/load-list";
import * as css from "./list.css";
import { loadMachines } from "./list-screen.server";
import { MachineTable, NoRows, useCanAdd } from "./machine-table";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, loadMachines);

const failure = "Failed to load machines data";

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return loadListOrCached(paths.machines, () => serverLoader<typeof loader>(), {
    failure: `${failure}.`,
  });
}

export const shouldRevalidate = ignoreDialogs(({ searchParams }) =>
  [...searchParams].filter(([name]) => name !== "promos_page").join("&"),
);

export default function Machines() {
  const list = useLoaderData<typeof loader>();
  const canAdd = useCanAdd();
  useListCache(paths.machines, list);
  return (
    <Page
      title="Machines"
      actions={
        canAdd &&
        list.total > 0 && (
          <ButtonLink to={paths.newMachines} icon="plus">
            Add machines
          </ButtonLink>
        )
      }
    >
      <div role="status" className={list.staleReason ? notes : undefined}>
        {list.staleReason && <MessageBlock kind="error">{list.staleReason}</MessageBlock>}
      </div>
      <ListNotes list={list} />
      <PlatformNotes state={list.platform} canConfirm={list.canConfirm} />
      <Outlet />
      <LinkTabs label="Views" tabs={machineTabs} />
      <FilterBar list={machineList} data={list} options={{ group: list.groups }} />
      <ListStatus data={list} noun="machine" />
      <div className={css.rows}>
        {list.total === 0 ? <NoRows list={list} /> : <MachineTable list={list} />}
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  return <FailedPage routeId="routes/app.machines" title="Machines" failure={failure} />;
}
