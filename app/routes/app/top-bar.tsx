import { Link, useFetcher } from "@remix-run/react";
import { visuallyHidden } from "#styles/global.css";
import { greetingName, type User } from "../../features/users/user";
import { paths } from "../../paths";
import { Icon } from "../../ui/icon/icon";
import { Avatar } from "../../ui/layout/avatar";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";
import { SidebarLinks } from "./sidebar";
import * as css from "./shell.css";

export function TopBar({
  user,
  isSidebarOpen,
  returnTo,
}: {
  user: User;
  isSidebarOpen: boolean;
  returnTo: string;
}) {
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
