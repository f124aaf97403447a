import { useRouteLoaderData } from "@remix-run/react";
import { muted } from "#styles/global.css";
import type { DateLine } from "../../format/date";
import { Breadcrumb } from "./breadcrumb";

/** Shows the breadcrumb, or the day on the dashboard. */
export function NavigationBar({ pathname }: { pathname: string }) {
  const today = useRouteLoaderData<{ today: DateLine }>("routes/app.dashboard")?.today;
  if (today) {
    return (
      <p className={muted}>
        {today.day} {today.month} {today.year}, {today.weekday}
      </p>
    );
  }
  return <Breadcrumb pathname={pathname} />;
}
