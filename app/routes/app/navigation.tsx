import { Form, Link, useFetcher, useLocation, useMatches } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { visuallyHidden } from "#styles/global.css";
import { greetingName, type User } from "../../features/sign-in/user";
import { useMayOpen } from "../../features/sign-in/viewer";
import { paths } from "../../paths";
import { screenAt, screens, type Screen } from "../../screens";
import { Badge } from "../../ui/feedback/badge";
import { input } from "../../ui/form/form.css";
import { Icon, type IconName } from "../../ui/icon/icon";
import { Avatar, type AvatarView } from "../../ui/layout/avatar";
import { SiteName } from "../../ui/layout/site-name";
import { DetailsMenu, MenuLink } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";
import { crumbsOf } from "./breadcrumb";
import * as css from "./shell.css";

type TopBarProps = { user: User; avatar: AvatarView; isSidebarOpen: boolean };

export function TopBar({ user, avatar, isSidebarOpen }: TopBarProps) {
  return (
    <header className={css.topBar}>
      <button type="button" {...{ popovertarget: "sidebar" }} className={css.drawerToggle}>
        <Icon name="menu" />
        <span className={visuallyHidden}>Menu</span>
      </button>
      <SidebarToggle isOpen={isSidebarOpen} />
      <span className={css.product}>
        <SiteName />
      </span>{" "}
      <SearchEverything />
      <span className={css.greeting}>{`Hi, ${greetingName(user)}`}</span>{" "}
      <DetailsMenu
        summary={
          <>
            <Avatar view={avatar} />
            <span className={visuallyHidden}>Profile menu</span>
          </>
        }
      >
        <MenuLink to={paths.profile}>
          <Icon name="user" />
          Profile
        </MenuLink>
        <MenuLink to={paths.keyboard}>
          <Icon name="keyboard" />
          Keyboard
        </MenuLink>
        <a href="#theme-form" className={css.themeLink}>
          <Icon name="palette" />
          Theme
        </a>{" "}
        <form method="post" action={paths.logout}>
          <button type="submit" className={menuItem}>
            <Icon name="sign-out" />
            Sign out
          </button>
        </form>
      </DetailsMenu>
    </header>
  );
}

/** Finds anything by its text. In narrow windows its button alone leads to the screen with the field. */
function SearchEverything() {
  const { pathname } = useLocation();
  return (
    <Form
      // Each screen has an empty one, and the focus is free for its heading.
      key={pathname}
      method="get"
      action={paths.search}
      role="search"
      aria-label="Everything"
      className={css.search}
    >
      <input
        id="search-everything"
        name="q"
        type="search"
        aria-label="Search everything"
        placeholder="Search everything"
        autoComplete="off"
        spellCheck={false}
        className={`${input} ${css.searchField}`}
      />
      <button type="submit" title="Search everything" className={css.toggle}>
        <Icon name="search" />
      </button>
    </Form>
  );
}

/** Leads the answer to a form of the shell back to this page. */
export function ReturnTo() {
  const { pathname, search } = useLocation();
  return <input type="hidden" name="returnTo" value={pathname + search} />;
}

function SidebarToggle({ isOpen }: { isOpen: boolean }) {
  const fetcher = useFetcher();
  return (
    <fetcher.Form
      method="post"
      action={paths.preferences}
      preventScrollReset
      className={css.wideOnly}
    >
      <ReturnTo />
      <input type="hidden" name="control" value="toggle-sidebar" />
      <button
        id="toggle-sidebar"
        type="submit"
        name="sidebar"
        value={isOpen ? "collapsed" : "open"}
        aria-expanded={isOpen}
        aria-controls="sidebar"
        className={css.toggle}
      >
        <Icon name="menu" />
        <span className={visuallyHidden}>Toggle sidebar</span>
      </button>
    </fetcher.Form>
  );
}

/** A screen with an entry, or the entry of what has no screen in the shell. */
type Entry = Pick<Screen, "path" | "title"> & {
  icon?: IconName;
  /** Whether it is always loaded as a document of its own. */
  isDocument?: boolean;
};

/**
 * From the medium width on beside the page; below it a drawer that the top bar's button opens. Open, it
 * shows icon and name in a row; collapsed, the name small beneath its icon.
 */
export function Sidebar({
  isOpen,
  alerts,
  moreEntries,
}: {
  isOpen: boolean;
  /** The number of alerts that need the person. */
  alerts: number;
  /** Entries at the end of the foot. */
  moreEntries: Entry[];
}) {
  const { pathname, key } = useLocation();
  const matches = useMatches();
  const element = useDrawer(key);
  // A screen whose address tells too little names its entry by its handle.
  const isNamed = (to: string) =>
    matches.some(({ handle }) => (handle as { entry?: string } | undefined)?.entry === to);
  const above = crumbsOf(pathname).map(({ path }) => path);
  const isCurrent = (entry: string) =>
    above.some((path) => path === entry || screenAt(path)?.entry === entry) || isNamed(entry);
  const list = (entries: readonly Entry[]) => (
    <ul className={css.links}>
      {entries.map(({ path, title, icon, isDocument }) => (
        <li key={path}>
          <Link
            to={path}
            prefetch={isDocument ? "none" : "intent"}
            reloadDocument={isDocument}
            aria-current={isCurrent(path) ? "page" : undefined}
            aria-label={path === paths.alerts && alerts > 0 ? `${title}, ${alerts}` : undefined}
            className={isOpen ? css.link : css.collapsedLink}
          >
            <Icon name={icon!} />
            {title}
            {path === paths.alerts && alerts > 0 && <Badge tone="warn">{String(alerts)}</Badge>}
          </Link>
        </li>
      ))}
    </ul>
  );
  const mayOpen = useMayOpen();
  const inMenu = (name: Screen["menu"]) =>
    screens.filter((screen) => screen.menu === name && mayOpen(screen));
  const forAdmins = inMenu("admin");
  return (
    <nav
      ref={element}
      id="sidebar"
      aria-label="Main"
      {...{ popover: "auto" }}
      className={isOpen ? css.sidebar : `${css.sidebar} ${css.collapsedSidebar}`}
    >
      {list(inMenu("main"))}
      {forAdmins.length > 0 && (
        <>
          <hr className={css.divider} />
          {list(forAdmins)}
        </>
      )}
      <div className={css.foot}>{list([...inMenu("foot"), ...moreEntries])}</div>
    </nav>
  );
}

/** Closes the drawer when a link was followed, also to the same page, or the focus leaves it. */
function useDrawer(locationKey: string) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    // Styles may rely on it: from now on it never stays open over what has the focus.
    if (element.current) element.current.dataset.closesItself = "";
    const close = () => element.current?.matches(":popover-open") && element.current.hidePopover();
    const closeOutside = ({ target }: FocusEvent) => {
      if (target instanceof Node && !element.current?.contains(target)) close();
    };
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("focusin", closeOutside);
      close();
    };
  }, [locationKey]);
  return element;
}
