/**
 * The screens whose addresses hold no id, each once: sidebar, titles, breadcrumb and the tests of every page read them
 * here. Those of one group stand in the order of the sidebar.
 */
import { paths } from "./paths";
import type { IconName } from "./ui/icon/icon";

export type Screen = {
  path: string;
  title: string;
  /** Follows the heading in the title of the page, where that alone tells too little. */
  section?: string;
  /** Its name in the breadcrumb, where that is not its heading. */
  crumb?: string;
  /** The screen above it in the breadcrumb, where its address says something else. */
  parent?: string;
  /** The group of the sidebar that has its entry, and the entry's icon. */
  menu?: "main" | "admin" | "foot";
  icon?: IconName;
  /** Whose role may open it: others have no entry and no link. */
  isFor?: "editors" | "admins";
  /** The screen whose entry stands for it. */
  entry?: string;
};

const account = "Edit your account";

export const screens: readonly Screen[] = [
  { path: paths.dashboard, title: "Dashboard", menu: "main", icon: "dashboard" },
  {
    path: paths.alerts,
    title: "Alerts",
    menu: "main",
    icon: "alert",
    isFor: "editors",
  },
  { path: paths.approvals, title: "Approvals", entry: paths.alerts, isFor: "editors" },
  { path: paths.sampleData, title: "Sample data" },
  { path: paths.qrList, title: "QR List", menu: "main", icon: "qr-list" },
  { path: paths.savedViews, title: "Saved views", section: "QR List", crumb: "Views" },
  {
    path: paths.qrGeneration,
    title: "QR Generation",
    menu: "main",
    icon: "qr-generation",
    isFor: "editors",
  },
  { path: paths.massGeneration, title: "Mass Generation", section: "QR Generation" },
  {
    path: paths.imports,
    title: "Imports",
    entry: paths.qrGeneration,
    isFor: "editors",
  },
  { path: paths.newImport, title: "Import a file", section: "Imports", isFor: "editors" },
  { path: paths.machines, title: "Machines", menu: "main", icon: "machine" },
  { path: paths.newMachines, title: "Add machines", section: "Machines" },
  { path: paths.machineGroups, title: "Machine groups", entry: paths.machines },
  { path: paths.newMachineGroup, title: "New group", section: "Machine groups" },
  { path: paths.search, title: "Search" },
  { path: paths.check, title: "Check a code", menu: "main", icon: "scan" },
  { path: paths.transactions, title: "Transactions", menu: "main", icon: "receipt" },
  { path: paths.refusals, title: "Refused attempts" },
  { path: paths.reports, title: "Reports", menu: "main", icon: "chart" },
  { path: paths.reportSchedules, title: "Reports by mail", isFor: "admins" },
  { path: paths.users, title: "Users", menu: "admin", isFor: "admins", icon: "users" },
  { path: paths.newUser, title: "Invite user", section: "Users", parent: paths.users },
  { path: paths.audit, title: "Audit log", menu: "admin", isFor: "admins", icon: "history" },
  { path: paths.integrations, title: "Integrations", menu: "admin", isFor: "admins", icon: "key" },
  { path: paths.webhooks, title: "Webhooks", menu: "admin", isFor: "admins", icon: "webhook" },
  { path: paths.jobs, title: "Background jobs", menu: "admin", isFor: "admins", icon: "jobs" },
  { path: paths.settings, title: "Settings", menu: "admin", isFor: "admins", icon: "settings" },
  { path: paths.profile, title: "Profile", menu: "foot", icon: "user" },
  { path: paths.avatarChooser, title: "Choose Your Avatar", section: "Profile", crumb: "Avatar" },
  { path: paths.apiKey, title: "API key", section: "Profile" },
  { path: paths.secondFactor, title: "Two-step verification", section: "Profile" },
  { path: paths.newPasskey, title: "Add a passkey", section: "Profile" },
  {
    path: paths.account,
    title: "Account",
    section: account,
    crumb: account,
    parent: paths.profile,
  },
  { path: paths.accountProfile, title: "Profile", section: account },
  { path: paths.accountPassword, title: "Change password", section: account },
  { path: paths.keyboard, title: "Keyboard" },
  { path: paths.support, title: "Support", menu: "foot", icon: "support" },
  { path: paths.faq, title: "FAQ", menu: "foot", icon: "faq" },
];

/** Returns the screen at a path, in whatever case and with or without a slash at its end. */
export function screenAt(pathname: string): Screen | undefined {
  const path = pathname.replace(/\/$/, "").toLowerCase();
  return screens.find((screen) => screen.path === path);
}

/** Returns the screen at a path, or the nearest one above it. */
export function nearestScreen(pathname: string): Screen | undefined {
  return (
    screenAt(pathname) ?? (pathname ? nearestScreen(pathname.replace(/\/[^/]*$/, "")) : undefined)
  );
}

/** Returns the title of the screen at a path, or of the nearest one above it. */
export function titleAt(pathname: string): string {
  const { title = "", section } = nearestScreen(pathname) ?? {};
  return title + (section ? ` - ${section}` : "");
}
