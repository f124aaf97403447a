import type { SerializeFrom } from "@remix-run/node";
import { Link, useMatches } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "../../paths";
import { ConnectionBanner } from "../../ui/connection/connection-banner";
import { Badge } from "../../ui/feedback/badge";
import { Messages } from "../../ui/feedback/messages";
import { PendingBar, RouteAnnouncer } from "../../ui/feedback/navigation-status";
import { useSentPreference } from "../../ui/form/sent-preference";
import { useCanEdit } from "../../features/sign-in/viewer";
import { useShortcuts } from "../../ui/keyboard/shortcuts";
import { NavigationBar } from "./breadcrumb";
import { Sidebar, TopBar } from "./navigation";
import type { loader } from "./route";
import { actions, skipLinks, title } from "../../ui/layout/layout.css";
import * as css from "./shell.css";
import { ThemePicker } from "./theme-picker";

type ShellData = SerializeFrom<typeof loader>;

/** Data of a page that brings messages: of a list that was refreshed, or the reason why a button was refused. */
type PageMatch = { data?: { notices?: ShellData["messages"] } | null };

type TableHandle = { hasTable?: (data: unknown) => boolean } | undefined;

/** Tells whether the screen is a list with rows, or says by its handle that it shows a table. */
export function useHasTable(): boolean {
  return useMatches().some(
    ({ handle, data }) =>
      // A screen whose data was not read has none.
      data && ((handle as TableHandle)?.hasTable?.(data) ?? isListWithRows(data)),
  );
}

function isListWithRows(data: unknown): boolean {
  const { filters, rows } = data as { filters?: unknown; rows?: unknown[] };
  return filters !== undefined && rows !== undefined && rows.length > 0;
}

/** The bars around every screen. */
export function Shell({
  data,
  hasTable = false,
  children,
}: {
  data: ShellData;
  hasTable?: boolean;
  children: ReactNode;
}) {
  const sentSidebar = useSentPreference("sidebar");
  const isSidebarOpen = sentSidebar ? sentSidebar === "open" : data.preferences.isSidebarOpen;
  useShortcuts(data.preferences.hasShortcuts, useCanEdit());
  const notices = (useMatches() as PageMatch[]).flatMap(({ data }) => data?.notices ?? []);
  return (
    <>
      <div className={skipLinks}>
        <p>
          <a href="#main">Skip to main content</a>
        </p>
        {hasTable && (
          <p>
            <a href="#table">Skip to the table</a>
          </p>
        )}
      </div>
      <PendingBar />
      <TopBar user={data.user} avatar={data.avatar} isSidebarOpen={isSidebarOpen} />
      <div className={isSidebarOpen ? css.frame.open : css.frame.collapsed}>
        <Sidebar isOpen={isSidebarOpen} alerts={data.alerts} moreEntries={data.moreEntries} />
        <main id="main" tabIndex={-1} className={css.main}>
          <div className={css.aboveScreen}>
            <NavigationBar />
            {data.hasSampleData && <SampleNote isAdmin={data.user.role === "admin"} />}
          </div>
          <ConnectionBanner />
          <Messages messages={[...data.messages, ...notices]} />
          {children}
        </main>
      </div>
      <ThemePicker {...data.preferences} isSidebarOpen={isSidebarOpen} />
      <RouteAnnouncer />
    </>
  );
}

/** Tells on every screen that its figures are invented. */
function SampleNote({ isAdmin }: { isAdmin: boolean }) {
  return (
    <p className={`${title} ${css.sampleNote}`}>
      <Badge tone="warn">Sample data</Badge>
      {isAdmin && (
        <span className={actions}>
          <Link to={paths.sampleData} aria-label="Remove sample data">
            Remove
          </Link>
        </span>
      )}
    </p>
  );
}
