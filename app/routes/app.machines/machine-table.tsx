// Without script: a table whose order and pages are links, and a form that reads the machines anew. Pausing appears with scripts.
import { Form, useFetcher, useLocation } from "@remix-run/react";
import { ActivityBadge } from "../../features/machines/activity-badge";
import { useHasPlatform } from "../../features/machines/has-platform";
import { machineList } from "../../features/machines/machine-list";
import { refusalsSince } from "../../features/redemptions/machine-activity";
import { useCanEdit, useIsAdmin } from "../../features/sign-in/viewer";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { hiddenOnPhone } from "../../ui/form/button.css";
import { Timestamp } from "../../ui/layout/timestamp";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { RefreshSwitch } from "../../ui/list/refresh-switch";
import { EmptyState } from "../../ui/table/list-notes";
import { NothingMatches } from "../../ui/list/nothing-matches";
import { ListTable, RowCount } from "../../ui/list/list-table";
import { useListUrl } from "../../ui/table/list-url";
import * as table from "../../ui/table/table.css";
import { muted, visuallyHidden } from "#styles/global.css";
import * as css from "./list.css";
import type { MachineListData } from "./list-screen.server";

export function MachineTable({ list }: { list: MachineListData }) {
  const { search } = useListUrl(machineList);
  return (
    <ListTable
      caption="Machines"
      list={machineList}
      data={list}
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      columns={[
        {
          heading: "Serial number",
          sort: "serial",
          isRowHeader: true,
          cell: ({ serialNumber }) => <a href={paths.machine(serialNumber)}>{serialNumber}</a>,
        },
        { heading: "Name", sort: "name", className: css.name, cell: ({ humanName }) => humanName },
        {
          heading: "Last active",
          sort: "active",
          cell: ({ lastActive, isSilent }) => (
            <>
              <Timestamp time={lastActive} />
              {isSilent && <span className={muted}>, silent 24 h</span>}
            </>
          ),
        },
        {
          heading: "Redeemed",
          isNumber: true,
          cell: ({ use }) =>
            `${formatNumber(use.lastDay)} in 24 h, ${formatNumber(use.lastWeek)} in 7 days`,
        },
        {
          heading: "Refused",
          isNumber: true,
          cell: ({ serialNumber, use }) =>
            use.refused === 0 ? (
              "0 in 7 days"
            ) : (
              <a
                href={refusalsSince(serialNumber, use.firstDay)}
                aria-label={`${formatNumber(use.refused)} in 7 days at ${serialNumber}`}
              >
                {formatNumber(use.refused)} in 7 days
              </a>
            ),
        },
        {
          heading: "Active promos",
          sort: "promos",
          isNumber: true,
          cell: ({ serialNumber, activePromotions }) =>
            activePromotions === 0 ? (
              "0"
            ) : (
              <a href={`${paths.machinePromotions(serialNumber)}${search}`}>
                {formatNumber(activePromotions)}
                <span className={visuallyHidden}> active codes of {serialNumber}</span>
              </a>
            ),
        },
        {
          heading: "Activity",
          sort: "activity",
          isBadge: true,
          cell: ({ activity }) => <ActivityBadge activity={activity} />,
        },
      ]}
    />
  );
}

/** Whether the person who is signed in adds the machines of this site (RULES M10). */
export function useCanAdd(): boolean {
  const hasPlatform = useHasPlatform();
  return useIsAdmin() && !hasPlatform;
}

function whyNoMachines(hasPlatform: boolean, canAdd: boolean): string {
  if (hasPlatform) return "Machines appear here once the vending platform lists them.";
  return canAdd
    ? "Paste their serial numbers and names."
    : "An admin adds them, with their serial numbers and names.";
}

/** Says why there are no rows: no machine at all, or none that matches. */
export function NoRows({ list }: { list: MachineListData }) {
  const hasPlatform = useHasPlatform();
  const canAdd = useCanAdd();
  return (
    <div className={table.frame}>
      <div className={table.tools}>
        <ListTools list={list} />
      </div>
      {list.filters.length > 0 ? (
        <NothingMatches list={machineList} noun="machine" />
      ) : (
        <EmptyState
          icon="machine"
          title="No machines found"
          reason={whyNoMachines(hasPlatform, canAdd)}
          action={
            canAdd && (
              <ButtonLink to={paths.newMachines} variant="primary">
                Add machines
              </ButtonLink>
            )
          }
        />
      )}
    </div>
  );
}

function ListTools({ list }: { list: MachineListData }) {
  const { search } = useListUrl(machineList);
  // A refresh that succeeds leads to a new location; the fetcher of the old one keeps its error.
  const key = `refresh ${useLocation().key}`;
  const refresh = useFetcher<{ error: string }>({ key });
  const isRefreshing = refresh.state !== "idle";
  const isEditor = useCanEdit();
  return (
    <>
      <RowCount total={list.total} noun="machine" />
      {list.updated && (
        <p>
          Active promos: codes that a machine accepts. Last updated{" "}
          <Timestamp time={list.updated} />
        </p>
      )}
      <RefreshSwitch data={list} path={paths.machines} isPaused={list.isRefreshPaused} />
      {isEditor && (
        <Form
          method="post"
          action={paths.machinesRefresh}
          navigate={false}
          fetcherKey={key}
          preventScrollReset
        >
          <input type="hidden" name="returnTo" value={paths.machines + search} />
          <SubmitButton
            id="refresh-machines"
            variant="quiet"
            icon="refresh"
            isPending={isRefreshing}
            pendingLabel={<span className={hiddenOnPhone}>Refreshing...</span>}
          >
            <span className={hiddenOnPhone}>Refresh</span>
          </SubmitButton>
        </Form>
      )}
      <div role="alert" className={css.failure}>
        {!isRefreshing && refresh.data?.error && (
          <MessageBlock kind="error">{refresh.data.error}</MessageBlock>
        )}
      </div>
    </>
  );
}
