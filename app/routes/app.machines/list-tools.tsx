// Without script: when the promotions were counted, and a form that reads the machines anew. Pausing appears with scripts.
import { useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { machineList } from "../../features/machines/machine-list";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { SubmitButton } from "../../ui/form/submit-button";
import { useAutoRefresh } from "../../ui/table/auto-refresh";
import { useListUrl } from "../../ui/table/list-url";
import * as css from "./list.css";
import type { MachineListData } from "./route";

export function ListTools({ list }: { list: MachineListData }) {
  const { search } = useListUrl(machineList);
  const refresh = useFetcher<{ error: string }>();
  const isRefreshing = refresh.state !== "idle";
  return (
    <>
      {list.updated && (
        <p className={css.updated}>
          Last updated <time dateTime={list.updated.iso}>{list.updated.words}</time>
        </p>
      )}
      <RefreshSwitch list={list} />
      <refresh.Form method="post" action={paths.machinesRefresh} preventScrollReset>
        <input type="hidden" name="returnTo" value={search} />
        <SubmitButton
          id="refresh-machines"
          variant="quiet"
          icon="refresh"
          isPending={isRefreshing}
          pendingLabel="Refreshing..."
        >
          Refresh
        </SubmitButton>
      </refresh.Form>
      <div role="alert" className={css.failure}>
        {!isRefreshing && refresh.data?.error && (
          <MessageBlock kind="error">{refresh.data.error}</MessageBlock>
        )}
      </div>
    </>
  );
}

/** Pauses and resumes the automatic refresh, as WCAG 2.2.2 asks for. */
function RefreshSwitch({ list }: { list: MachineListData }) {
  const { pathname, search } = useLocation();
  const [isRunning, setIsRunning] = useState(false);
  useEffect(() => setIsRunning(true), []);
  const fetcher = useFetcher();
  const sent = fetcher.formData?.get("refresh");
  const isPaused = sent ? sent === "paused" : list.isRefreshPaused;
  useAutoRefresh({ isOff: isPaused || pathname !== paths.machines, data: list });
  return (
    <fetcher.Form
      method="post"
      action={paths.preferences}
      preventScrollReset
      className={isRunning ? undefined : css.waiting}
    >
      <input type="hidden" name="returnTo" value={pathname + search} />
      <input type="hidden" name="control" value="switch-refresh" />
      <Button
        id="switch-refresh"
        name="refresh"
        value={isPaused ? "automatic" : "paused"}
        variant="quiet"
      >
        {isPaused ? "Resume automatic refresh" : "Pause automatic refresh"}
      </Button>
    </fetcher.Form>
  );
}
