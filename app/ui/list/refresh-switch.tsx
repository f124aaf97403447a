// Without script: nothing; what is shown is as old as the page.
import { useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { paths } from "../../paths";
import { Button } from "../form/button";
import { useAutoRefresh } from "./auto-refresh";
import * as css from "./refresh-switch.css";

/** Refreshes the screen automatically, and pauses and resumes that, as WCAG 2.2.2 asks for. */
export function RefreshSwitch({
  data,
  path,
  isPaused: wasPaused,
}: {
  /** Data that the screen loaded last. */
  data: unknown;
  /** Address of the screen; on others, such as dialogs over it, nothing is refreshed. */
  path: string;
  isPaused: boolean;
}) {
  const { pathname, search } = useLocation();
  const [isRunning, setIsRunning] = useState(false);
  useEffect(() => setIsRunning(true), []);
  const fetcher = useFetcher();
  const sent = fetcher.formData?.get("refresh");
  const isPaused = sent ? sent === "paused" : wasPaused;
  useAutoRefresh({ isOff: isPaused || pathname !== path, data });
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
