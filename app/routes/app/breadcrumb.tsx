import { Link, useLocation, useMatches, useRouteLoaderData } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { useMayOpen } from "../../features/sign-in/viewer";
import { machineScreens, paths, serialOfSegment } from "../../paths";
import { screenAt } from "../../screens";
import * as css from "./shell.css";

type SegmentNames = Partial<Record<string, string>>;

type Crumb = { path: string; label: string };

/**
 * Splits a path into words: '/app/machine-groups' → 'App', 'Machine Groups'. A serial number is read as it is.
 * @param names of segments that are no screen of the table; '' leaves a segment out. A path that no screen has may name
 *   the path of the screen above it
 */
export function crumbsOf(pathname: string, names: SegmentNames = {}): Crumb[] {
  // An address may have any segment, such as 'constructor'.
  const nameOf = (key: string) => (Object.hasOwn(names, key) ? names[key] : undefined);
  let crumbs: Crumb[] = [];
  const segments = pathname.split("/").filter(Boolean);
  for (const [index, segment] of segments.entries()) {
    const path = `/${segments.slice(0, index + 1).join("/")}`;
    const screen = screenAt(path);
    const parent = screen?.parent ?? nameOf(path);
    if (parent) crumbs = crumbsOf(parent, names);
    const isSerial = index === 2 && segments[1] === "machines" && !machineScreens.includes(segment);
    const name = nameOf(segment) ?? screen?.crumb ?? screen?.title;
    const label = isSerial
      ? readable(segment, serialOfSegment)
      : capitalised(name ?? readableSegment(segment));
    crumbs.push({ path, label });
  }
  return crumbs;
}

/** Tells whether a path has a page: that of a screen, of an id or of a machine; '/app/user' has none. */
function hasOwnPage(path: string): boolean {
  if (screenAt(path)) return true;
  return /^\/app\/((?!users)[\w-]+\/\d+|machines\/[^/]+)$/.test(path);
}

function readableSegment(segment: string): string {
  return readable(segment, decodeURIComponent).replaceAll("-", " ");
}

/** Writes 'qr list' as 'QR List': each word of a breadcrumb is capitalised, and some are abbreviations. */
function capitalised(label: string): string {
  return label.replace(/(^| )(qr |faq|api|.)/g, (start) => start.toUpperCase());
}

function readable(segment: string, decode: (text: string) => string): string {
  try {
    return decode(segment);
  } catch {
    return segment;
  }
}

type Handle = { nameOf?: (data: unknown) => string; crumbs?: SegmentNames } | undefined;

/**
 * Reads the handles of the screen: what the thing that it is about is called, so that nobody reads an id, and what
 * segments of its path are called where they say something else.
 */
function usePageNames() {
  const matches = useMatches();
  const [name] = matches.flatMap(({ handle, data }) =>
    data ? ((handle as Handle)?.nameOf?.(data) ?? []) : [],
  );
  const names = Object.assign(
    { __proto__: null },
    ...matches.map(({ handle }) => (handle as Handle)?.crumbs),
  ) as SegmentNames;
  return { name, names };
}

/**
 * Puts the name of the page in the place of the first id or serial number, or at the end where there is none, and leaves
 * out other ids and segments without a name. A serial number of digits is no id.
 */
export function namedCrumbs(crumbs: readonly Crumb[], name: string | undefined) {
  const isMachine = ({ path }: Crumb) => path.startsWith(`${paths.machines}/`);
  const isId = (crumb: Crumb) => /\/(\d+|[\da-f-]{36})$/.test(crumb.path) && !isMachine(crumb);
  const subject = crumbs.find((crumb) => isMachine(crumb) || isId(crumb)) ?? crumbs.at(-1);
  const named = name ? subject : null;
  return crumbs
    .filter((crumb) => crumb === named || (crumb.label && !isId(crumb)))
    .map((crumb) => (crumb === named ? { ...crumb, label: name! } : crumb));
}

/** Shows the breadcrumb, or the day on the dashboard. */
export function NavigationBar() {
  const { pathname } = useLocation();
  const { name, names } = usePageNames();
  const mayOpen = useMayOpen();
  const dashboard = useRouteLoaderData<{ today: string }>("routes/app.dashboard");
  if (dashboard) return <p className={muted}>{dashboard.today}</p>;
  const crumbs = namedCrumbs(crumbsOf(pathname, names), name);
  return (
    <nav aria-label="Breadcrumb">
      <ol className={css.breadcrumb}>
        {crumbs.map(({ path, label }) => {
          // The last crumb leads back where the page has none: what its id is about was not found.
          const isCurrent = path === pathname;
          const isOpen = mayOpen(screenAt(path));
          const isScreen =
            !isCurrent && isOpen && (hasOwnPage(path) || Object.values(names).includes(path));
          return (
            <li key={path} className={css.crumb} aria-current={isCurrent ? "page" : undefined}>
              {isScreen ? (
                <Link to={path} className={css.crumbLink}>
                  {label}
                </Link>
              ) : (
                label
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
