import type { LoaderFunctionArgs } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Outlet,
  useFetchers,
  useLoaderData,
  useLocation,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { requireUser } from "../../http/guards.server";
import { takeMessages } from "../../http/messages.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";
import { Messages } from "../../ui/feedback/messages";
import { PendingBar } from "../../ui/feedback/pending-bar";
import { RouteAnnouncer } from "../../ui/feedback/route-announcer";
import { ErrorContent, ErrorPage } from "../../ui/layout/error-page";
import { NavigationBar } from "./navigation-bar";
import * as css from "./shell.css";
import { useShortcuts } from "../../ui/keyboard/shortcuts";
import { Sidebar } from "./sidebar";
import { ThemePicker } from "./theme-picker";
import { TopBar } from "./top-bar";

export async function loader(args: LoaderFunctionArgs) {
  const session = await requireUser(args);
  return {
    user: session.user,
    preferences: readPreferences(args.request),
    messages: await takeMessages(args, session),
  };
}

/** Its own settings, and a message that comes or goes (`f` in the address); nothing else changes the shell. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formAction,
}: ShouldRevalidateFunctionArgs) {
  const messageOf = (url: URL) => url.searchParams.get("f");
  return formAction === paths.preferences || messageOf(currentUrl) !== messageOf(nextUrl);
}

export default function App() {
  return (
    <Shell data={useLoaderData<typeof loader>()}>
      <Outlet />
    </Shell>
  );
}

/** What goes wrong in a screen is said inside the shell; without the shell's own data, on a page of its own. */
export function ErrorBoundary() {
  const error = useRouteError();
  const data = useRouteLoaderData<typeof loader>("routes/app");
  const root = useRouteLoaderData<{ requestId: string }>("root");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const words = { status, homeHref: paths.home, requestId: root?.requestId };
  if (!data) return <ErrorPage {...words} />;
  return (
    <Shell data={data}>
      <ErrorContent {...words} />
    </Shell>
  );
}

type ShellData = ReturnType<typeof useLoaderData<typeof loader>>;

function Shell({ data, children }: { data: ShellData; children: ReactNode }) {
  const { pathname, search } = useLocation();
  const returnTo = pathname + search;
  const isSidebarOpen = useSidebar(data.preferences.isSidebarOpen);
  useShortcuts(data.preferences.hasShortcuts);
  return (
    <>
      <a href="#main" className={css.skipLink}>
        Skip to main content
      </a>
      <PendingBar />
      <TopBar user={data.user} isSidebarOpen={isSidebarOpen} returnTo={returnTo} />
      <div className={isSidebarOpen ? css.frame.open : css.frame.collapsed}>
        <Sidebar isOpen={isSidebarOpen} />
        <main id="main" tabIndex={-1} className={css.main}>
          <NavigationBar pathname={pathname} />
          <Messages messages={data.messages} />
          {children}
        </main>
      </div>
      <ThemePicker {...data.preferences} returnTo={returnTo} />
      <RouteAnnouncer />
    </>
  );
}

/** The toggle answers at once; the cookie follows. */
function useSidebar(isSavedOpen: boolean): boolean {
  const sent = useFetchers()
    .find((fetcher) => fetcher.formAction === paths.preferences)
    ?.formData?.get("sidebar");
  return sent ? sent === "open" : isSavedOpen;
}
