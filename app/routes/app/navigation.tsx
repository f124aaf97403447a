import { Link, NavLink, useFetcher } from "@remix-run/react";
import { visuallyHidden } from "#styles/global.css";
import { greetingName, type User } from "../../features/users/user";
import { paths } from "../../paths";
import { Icon, type IconName } from "../../ui/icon/icon";
import { Avatar } from "../../ui/layout/page";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";
import * as css from "./shell.css";

type TopBarProps = { user: User; isSidebarOpen: boolean; returnTo: string };

export function TopBar({ user, isSidebarOpen, returnTo }: TopBarProps) {
  return (
    <header className={css.topBar}>
      <DetailsMenu
        className={css.drawer}
        summaryClass={css.toggle}
        panelClass={css.drawerPanel}
        summary={
          <>
            <Icon name="menu" />
            <span className={visuallyHidden}>Menu</span>
          </>
        }
      >
        <nav aria-label="Main">
          <SidebarLinks shape="open" isAdmin={user.role === "admin"} />
        </nav>
      </DetailsMenu>
      <SidebarToggle isOpen={isSidebarOpen} returnTo={returnTo} />
      <Link to={paths.dashboard} className={css.product}>
        Promo Console
      </Link>
      <span className={css.greeting}>Hi, {greetingName(user)}</span>
      <DetailsMenu
        summary={
          <>
            <Avatar />
            <span className={visuallyHidden}>Profile menu</span>
          </>
        }
      >
        <Link to={paths.profile} className={menuItem}>
          <Icon name="user" />
          Profile
        </Link>
        <Link to={paths.keyboard} className={menuItem}>
          <Icon name="faq" />
          Keyboard
        </Link>
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

function SidebarToggle({ isOpen, returnTo }: { isOpen: boolean; returnTo: string }) {
  const fetcher = useFetcher();
  return (
    <fetcher.Form
      method="post"
      action={paths.preferences}
      preventScrollReset
      className={css.wideOnly}
    >
      <input type="hidden" name="returnTo" value={returnTo} />
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

type Entry = { to: string; label: string; icon: IconName };

// Entries appear with their screens.
const entries: Entry[] = [
  { to: paths.qrList, label: "QR List", icon: "qr-list" },
  { to: paths.qrGeneration, label: "QR Generation", icon: "qr-generation" },
  { to: paths.machines, label: "Machines", icon: "machine" },
  { to: paths.profile, label: "Profile", icon: "user" },
  { to: paths.support, label: "Support", icon: "support" },
  { to: paths.faq, label: "FAQ", icon: "faq" },
];
const moreEntries: Entry[] = [
  { to: paths.dashboard, label: "Dashboard", icon: "dashboard" },
  { to: paths.check, label: "Check a code", icon: "scan" },
  { to: paths.transactions, label: "Transactions", icon: "receipt" },
];
const adminEntries: Entry[] = [{ to: paths.integrations, label: "Integrations", icon: "key" }];

/** Open: icon and name in a row. Collapsed: the name small beneath its icon. */
function SidebarLinks({ shape, isAdmin }: { shape: keyof typeof css.link; isAdmin: boolean }) {
  const item = ({ to, label, icon }: Entry) => (
    <li key={to}>
      <NavLink to={to} prefetch="intent" className={css.link[shape]}>
        <Icon name={icon} />
        {label}
      </NavLink>
    </li>
  );
  return (
    <>
      <ul className={css.links}>{entries.map(item)}</ul>
      <hr className={css.divider} />
      <ul className={css.links}>
        {moreEntries.map(item)}
        {isAdmin && adminEntries.map(item)}
      </ul>
    </>
  );
}

/** From the medium width on; below it the top bar has a drawer with the same links. */
export function Sidebar({ isOpen, isAdmin }: { isOpen: boolean; isAdmin: boolean }) {
  return (
    <nav
      id="sidebar"
      aria-label="Main"
      className={isOpen ? css.sidebar : `${css.sidebar} ${css.sidebarNarrow}`}
    >
      <SidebarLinks shape={isOpen ? "open" : "collapsed"} isAdmin={isAdmin} />
    </nav>
  );
}
