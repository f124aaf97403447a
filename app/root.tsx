import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useContext, useEffect, type ReactNode } from "react";
import "#styles/themes.css";
import "#styles/global.css";
import { siteNameOf, titleMeta } from "./forms/page-meta";
import { allowAnyone } from "./http/guards.server";
import { readPreferences } from "./http/preferences.server";
import { siteView } from "./http/site.server";
import { useSentPreference } from "./ui/form/sent-preference";
import { ErrorPageContext, useNonce } from "./nonce";
import { paths } from "./paths";
import { markHydrated } from "./ui/overlay/focus";
import { IconSprite } from "./ui/icon/icon";
import { ErrorPage, errorTexts } from "./ui/layout/error-page";

export const meta: MetaFunction = ({ error, matches }) =>
  error ? titleMeta(errorTexts(error).title, matches) : [{ title: siteNameOf(matches) }];

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const { requestId, isPosted } = args.context;
  const preferences = readPreferences(args.request);
  return { preferences, site: siteView(), requestId, ...(isPosted && { isPosted }) };
}

/** Only its own cookies and the settings change what it says. */
export function shouldRevalidate({ formAction }: ShouldRevalidateFunctionArgs) {
  return formAction === paths.preferences || formAction === paths.settings;
}

// The server fills both in a first page; NetSurf waits for ever for the content of a style element that is empty.
const noStyles = { __html: "/**/" };
const nothing = { __html: "" };

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const { theme, mode, isLite } = usePreferences();
  const matches = useMatches();
  const isErrorPage = useContext(ErrorPageContext);
  // Routes that say `handle = { hydrate: false }`, error pages and lite mode send no script at all.
  const handle = matches.at(-1)?.handle as { hydrate?: boolean } | undefined;
  const isScripted = handle?.hydrate !== false && !isLite && !isErrorPage;

  return (
    <html lang="en" className={`theme-${theme} mode-${mode}`}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={mode === "system" ? "light dark" : mode} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
        {/* eslint-disable no-restricted-syntax -- the server fills them for browsers that don't have the style sheet yet */}
        <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={noStyles} />
        {isScripted && <noscript suppressHydrationWarning dangerouslySetInnerHTML={nothing} />}
        {/* eslint-enable no-restricted-syntax */}
      </head>
      <body>
        <IconSprite />
        {children}
        {isScripted && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  useEffect(markHydrated, []);
  return <Outlet />;
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}

/** Returns the saved preferences, overlaid with a change that is still being sent. */
function usePreferences() {
  const saved = useRouteLoaderData<typeof loader>("root")?.preferences;
  return {
    theme: useSentPreference("theme") ?? saved?.theme ?? "default",
    mode: useSentPreference("mode") ?? saved?.mode ?? "system",
    isLite: saved?.isLite ?? false,
  };
}
