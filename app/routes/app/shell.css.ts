import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { forcedCurrent, hiddenVisually, wrappingRow } from "#styles/global.css";
import { color, layer, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { iconOnly } from "../../ui/form/button.css";
import { menuItem } from "../../ui/overlay/overlay.css";

export const topBar = style({
  position: "sticky",
  top: 0,
  zIndex: layer.topBar,
  display: "flex",
  alignItems: "center",
  gap: space.md,
  height: size.topBar,
  padding: `0 ${space.lg}`,
  background: color.surface,
  borderBottom: `${line.thin} ${color.border}`,
});
export const product = style({
  ...text.heading,
  fontWeight: weight.title,
  marginInlineEnd: "auto",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
});
export const greeting = style({
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  // Leaves the site's name its room.
  maxWidth: size.popover,
  "@media": { [media.narrow]: { display: "none" } },
});
export const search = style({ display: "flex", alignItems: "center", gap: space.xs });
export const searchField = style({
  width: size.popover,
  "@media": { [media.belowMedium]: { display: "none" } },
});
export const toggle = style([
  iconOnly,
  { flex: "none", width: size.control, height: size.control },
]);
export const drawerToggle = style([
  toggle,
  {
    marginInlineStart: `-${space.sm}`,
    "@media": { [media.medium]: { display: "none" } },
    // A browser without popovers shows the menu above the page.
    "@supports": { "not selector(:popover-open)": { display: "none" } },
  },
]);
export const wideOnly = style({ "@media": { [media.belowMedium]: { display: "none" } } });

const frameBase = style({
  display: "grid",
  minHeight: `calc(100vh - ${size.topBar})`,
  "@media": { [media.belowMedium]: { gridTemplateColumns: "minmax(0,1fr)" } },
});
const columns = (sidebar: string) => ({
  "@media": { [media.medium]: { gridTemplateColumns: `${sidebar} minmax(0,1fr)` } },
});
export const frame = styleVariants({
  open: [frameBase, columns(size.sidebar)],
  collapsed: [frameBase, columns(size.sidebarCollapsed)],
});

export const sidebar = style({
  inset: "auto",
  width: "auto",
  height: "auto",
  margin: 0,
  padding: space.md,
  border: 0,
  borderInlineEnd: `${line.thin} ${color.border}`,
  overflowY: "auto",
  background: color.surface,
  color: color.text,
  "@media": {
    [media.medium]: {
      display: "flex",
      flexDirection: "column",
      position: "sticky",
      top: size.topBar,
      height: `calc(100vh - ${size.topBar})`,
      // The theme button floats there, and must not cover what gets the focus.
      paddingBottom: `calc(${size.touch} + ${space.xl})`,
      scrollPaddingBottom: `calc(${size.touch} + 2 * ${space.lg})`,
    },
    [media.belowMedium]: {
      selectors: {
        "&:popover-open": {
          position: "fixed",
          inset: `${size.topBar} auto 0 0`,
          width: `min(100%,${size.popover})`,
          // Darkens the page beside it, not the bar above it.
          boxShadow: `0 0 0 100vmax ${color.scrim}`,
          clipPath: "inset(0 -100vmax 0 0)",
        },
      },
    },
  },
});
export const collapsedSidebar = style({
  "@media": { [media.medium]: { paddingInline: space.xs } },
});
export const foot = style({ marginTop: "auto", paddingTop: space.md });

export const links = style({ display: "grid", gap: space.none, listStyle: "none" });
export const divider = style({
  margin: `${space.sm} ${space.xs}`,
  border: 0,
  borderTop: `${line.thin} ${color.border}`,
});
export const link = style({
  display: "flex",
  alignItems: "center",
  gap: space.md,
  minHeight: size.touch,
  padding: `0 ${space.md}`,
  borderRadius: radius.control,
  color: color.muted,
  fontWeight: weight.medium,
  textDecoration: "none",
  // The whole menu of an admin fits a window of 768 px.
  "@media": {
    [media.medium]: { minHeight: size.control },
    [media.lowMedium]: { minHeight: size.action },
  },
  selectors: {
    "&:hover": { background: color.bg, color: color.text },
    "&[aria-current]": { background: color.tint, color: color.onTint, fontWeight: weight.strong },
  },
});
globalStyle(`${link}[aria-current]`, { "@media": forcedCurrent });
export const collapsedLink = style([
  link,
  {
    "@media": {
      [media.medium]: {
        flexDirection: "column",
        gap: space.xs,
        padding: `${space.sm} ${space.xxs}`,
        ...text.small,
        textAlign: "center",
        // The longest name just fits; bold it would not.
        selectors: { "&[aria-current]": { fontWeight: weight.medium } },
      },
    },
  },
]);

export const main = style({
  minWidth: 0,
  maxWidth: size.page,
  // Room for a message at the window's lower edge, below the button that saves a long page.
  padding: `${space.lg} ${space.xl} 4.5rem`,
  "@media": { [media.belowMedium]: { paddingInline: space.lg } },
});
/** The path to the screen, and at its right what is true of all screens. */
export const aboveScreen = style([
  wrappingRow,
  { justifyContent: "space-between", gap: `0 ${space.md}`, marginBottom: space.xs },
]);
globalStyle(`${aboveScreen} > nav`, { minWidth: 0 });
export const sampleNote = style({ ...text.label });
export const breadcrumb = style({
  display: "flex",
  gap: space.xs,
  listStyle: "none",
  ...text.label,
  color: color.muted,
});
export const crumb = style({
  // All have their widths but a long name, which takes what the line has left; the heading says all of it.
  flex: 1,
  maxWidth: "max-content",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  // Holds the outline of a link.
  paddingBlock: space.xs,
  marginBlock: `calc(-1 * ${space.xs})`,
  selectors: {
    "&:not(:first-child)::before": { content: "/", marginInlineEnd: space.xs, color: color.muted },
    "&[aria-current]": { color: color.text, fontWeight: weight.medium },
  },
});
export const crumbLink = style({
  borderRadius: radius.control,
  textDecoration: "none",
  selectors: { "&:hover": { textDecoration: "underline" } },
});

/** Stands in the profile menu where there is no permanent sidebar. */
export const themeLink = style([menuItem, { "@media": { [media.medium]: { display: "none" } } }]);
export const settings = style({
  // At the foot of the sidebar; without one at the end of the page, never over its content.
  "@media": {
    [media.medium]: {
      position: "fixed",
      zIndex: layer.floating,
      insetInlineStart: space.md,
      bottom: space.md,
      // Entries of the menu end above it in low windows.
      boxShadow: `0 0 0 ${space.md} ${color.surface}`,
    },
    [media.belowMedium]: { position: "relative", width: "fit-content", margin: space.lg },
  },
});
export const collapsedSettingsButton = style({
  display: "flex",
  alignItems: "center",
  gap: space.sm,
  minHeight: size.touch,
  padding: `0 ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.control,
  background: color.surface,
  color: color.muted,
  fontWeight: weight.medium,
  selectors: { "&:hover": { color: color.text } },
});
export const settingsButton = style([
  collapsedSettingsButton,
  {
    "@media": { [media.medium]: { width: `calc(${size.sidebar} - 2*${space.md} - ${space.px})` } },
  },
]);
/** Beside the collapsed sidebar there is room for the icon only. */
export const collapsedLabel = style({ "@media": { [media.medium]: hiddenVisually } });
export const settingsForm = style({
  display: "grid",
  gap: space.md,
  width: `min(${size.popover},calc(100vw - 2*${space.xl}))`,
  padding: space.sm,
});
// Without a script nothing closes the drawer when the focus leaves it: then what lies under it can't be reached.
globalStyle(`${sidebar}:popover-open:not([data-closes-itself]) ~ ${main}`, {
  "@media": { [media.belowMedium]: { visibility: "hidden" } },
});
