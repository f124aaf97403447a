import { NavLink } from "@remix-run/react";
import { paths } from "../../paths";
import { Icon, type IconName } from "../../ui/icon/icon";
import * as css from "./shell.css";

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
export function SidebarLinks({
  shape,
  isAdmin,
}: {
  shape: keyof typeof css.link;
  isAdmin: boolean;
}) {
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
