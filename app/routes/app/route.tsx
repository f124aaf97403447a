import {
  Outlet,
  useLocation,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { demoEntries } from "../../demo/demo.server";
import { environment } from "../../env.server";
import { countOpenAlerts } from "../../features/alerts/alert-counts.server";
import { platformKindOf } from "../../features/machines/platform.server";
import { toAvatarView } from "../../features/people/avatar-drawings.server";
import { useMayOpen } from "../../features/sign-in/viewer";
import { flashParam, rowsMessagePrefix } from "../../lists/list-params";
import { screenLoader } from "../../http/answers.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";
import { takeMessages } from "../../http/messages.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";
import { nearestScreen } from "../../screens";
import { ButtonLink } from "../../ui/form/button";
import { ErrorContent, ErrorPage, errorTexts } from "../../ui/layout/error-page";
import { Shell, useHasTable } from "./shell";

const apiDocs = { path: paths.apiDocs, title: "API docs", icon: "docs", isDocument: true } as const;

export const loader = screenLoader(requireUserBeforeSetUp, async (args, session) => {
  const messages = await takeMessages(args, session);
  return {
    user: session.user,
    hasSampleData: session.hasSampleData,
    hasPlatform: platformKindOf(session.hasSampleData) !== "none",
    alerts: countOpenAlerts(session.user),
    avatar: toAvatarView(session.user),
    preferences: readPreferences(args.request),
    port: environment().port,
    moreEntries: [apiDocs, ...demoEntries()],
    messages,
    // Without scripts, the title is the first thing of a page that is read aloud.
    ...(args.context.isDocument && { titleMessage: messages[0]?.text }),
  };
});

/** The age at which the shell is loaded again, for the number of alerts. */
const maxAgeMs = 60_000;
let readAt = 0;

/** Loads the shell again after a change of preferences, when its message (`flash` in the URL) changes, and after a minute. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formAction,
}: ShouldRevalidateFunctionArgs) {
  const messageOf = (url: URL) => url.searchParams.get(flashParam);
  const next = messageOf(nextUrl);
  const isOfRows = next?.startsWith(rowsMessagePrefix) ?? false;
  const isChanged = !isOfRows && messageOf(currentUrl) !== next;
  const isOld = next === null && performance.now() - readAt > maxAgeMs;
  if (formAction !== paths.preferences && !isChanged && !isOld) return false;
  readAt = performance.now();
  return true;
}

export default function App() {
  return (
    <Shell data={useLoaderData<typeof loader>()} hasTable={useHasTable()}>
      <Outlet />
    </Shell>
  );
}

/** Shows an error inside the shell; without the shell's own data, on a page of its own. */
export function ErrorBoundary() {
  const error = useRouteError();
  const data = useRouteLoaderData<typeof loader>("routes/app");
  const { pathname } = useLocation();
  const { status } = errorTexts(error);
  const nearest = status === 404 ? nearestScreen(pathname) : undefined;
  const screen = useMayOpen()(nearest) ? nearest : undefined;
  if (!data) return <ErrorPage error={error} />;
  return (
    <Shell data={data}>
      <ErrorContent error={error}>
        {screen && screen.path !== pathname && (
          <ButtonLink to={screen.path}>Back to {screen.title}</ButtonLink>
        )}
      </ErrorContent>
    </Shell>
  );
}
