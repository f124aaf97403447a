import { createGlobalThemeContract } from "@vanilla-extract/css";
import { light, lightAccents } from "./palettes";

/** Colours by role, as variables such as `--on-accent`; classes on <html> choose their values. */
export const color = createGlobalThemeContract(
  { ...light, ...lightAccents.default },
  (_value, [name]) => name!.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
);

// Text and what holds text grow with the browser's text size; gaps do not, so that narrow screens keep their room.
const rem = (pixels: number) => `${pixels / 16}rem`;

/** 4 inside, 8 between parts, 16 between fields, 24 between sections. */
export const space = {
  none: "0",
  px: "1px",
  xxs: "2px",
  xs: "4px",
  sm: "8px",
  md: "12px",
  lg: "16px",
  xl: "24px",
  xxl: "40px",
} as const;

export const text = {
  body: { fontSize: rem(14), lineHeight: rem(20) },
  label: { fontSize: rem(13), lineHeight: rem(18) },
  small: { fontSize: rem(12), lineHeight: rem(16) },
  title: { fontSize: rem(24), lineHeight: rem(32) },
  titleNarrow: { fontSize: rem(20), lineHeight: rem(28) },
  heading: { fontSize: rem(16), lineHeight: rem(24) },
  figure: { fontSize: rem(32), lineHeight: rem(40) },
  /** Inputs on phones: below 16 px Safari zooms the page. */
  touchInput: { fontSize: rem(16), lineHeight: rem(20) },
} as const;

export const weight = { normal: 400, medium: 500, strong: 600, title: 650 } as const;

export const family = {
  sans: 'system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif',
  mono: "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace",
} as const;

export const size = {
  icon: rem(20),
  iconSmall: rem(16),
  badge: rem(22),
  target: rem(24),
  action: rem(32),
  control: rem(36),
  touch: rem(40),
  row: rem(48),
  topBar: rem(56),
  illustration: rem(64),
  sidebar: "240px",
  sidebarCollapsed: "85px",
  menu: rem(200),
  popover: rem(280),
  /** The least that a date needs. */
  cell: rem(88),
  /** Width of a column that names its rows. */
  name: rem(150),
  short: rem(120),
  /** A value such as $12,345.67 in the letters of a title. */
  figure: rem(148),
  medium: rem(240),
  narrowPage: rem(400),
  dialog: rem(480),
  form: rem(640),
  wideDialog: rem(720),
  page: "1440px",
  scrollRegion: rem(320),
  /** Height of a list of machines, so that what stands around it is in the window too. */
  machineList: `max(${rem(240)}, min(${rem(320)}, 100vh - ${rem(516)}))`,
} as const;

export const radius = { control: "8px", card: "12px", full: "999px" } as const;
export const line = { thin: "1px solid", thick: "2px solid" } as const;
export const motion = { fade: "140ms ease-out" } as const;
export const layer = { topBar: 10, floating: 20, overlay: 30, connection: 40 } as const;
