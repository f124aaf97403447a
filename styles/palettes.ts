/** The colours as plain data, so that a test can measure their contrast. */
export const themeNames = ["default", "secondary", "success"] as const;
type ThemeName = (typeof themeNames)[number];

type Surfaces = typeof light;
type Accents = Record<"accent" | "onAccent" | "tint" | "onTint", string>;

export const light = {
  bg: "#F5F6F8",
  surface: "#FFFFFF",
  sunken: "#ECEEF2",
  /** Decoration only: too faint to mark a control. */
  border: "#D3D8E0",
  /** Edges of inputs and buttons. */
  control: "#7C8698",
  text: "#1A212C",
  muted: "#525C6E",
  success: "#0B6B45",
  successBg: "#E2F4EC",
  warning: "#7A4E00",
  warningBg: "#FCF1DC",
  danger: "#B3261E",
  dangerBg: "#FCE9E7",
  info: "#1D57AE",
  infoBg: "#E6EFFB",
  neutral: "#4A5464",
  neutralBg: "#ECEEF2",
  shadow: "0 1px 2px rgb(16 24 40/.06),0 1px 3px rgb(16 24 40/.08)",
  overlayShadow: "0 8px 24px rgb(16 24 40/.16)",
  scrim: "rgb(16 24 40/.45)",
};

export const dark: Surfaces = {
  bg: "#11151B",
  surface: "#191F28",
  sunken: "#0C0F14",
  border: "#333D4B",
  control: "#7B8799",
  text: "#E9EDF3",
  muted: "#A7B1C1",
  success: "#6BDDAD",
  successBg: "#14382A",
  warning: "#F2BE5C",
  warningBg: "#3D2E10",
  danger: "#FF9C93",
  dangerBg: "#451C19",
  info: "#8EBBFF",
  infoBg: "#18304F",
  neutral: "#B4BDCB",
  neutralBg: "#262E39",
  shadow: "none",
  overlayShadow: "0 8px 24px rgb(0 0 0/.5)",
  scrim: "rgb(0 0 0/.6)",
};

export const lightAccents: Record<ThemeName, Accents> = {
  default: { accent: "#3F51C8", onAccent: "#FFFFFF", tint: "#E9EBFB", onTint: "#2C3A98" },
  secondary: { accent: "#B5195C", onAccent: "#FFFFFF", tint: "#FBE8F0", onTint: "#8C1146" },
  success: { accent: "#0B7048", onAccent: "#FFFFFF", tint: "#E2F4EC", onTint: "#085636" },
};

export const darkAccents: Record<ThemeName, Accents> = {
  default: { accent: "#9AA7FF", onAccent: "#12173A", tint: "#252C55", onTint: "#C5CCFF" },
  secondary: { accent: "#FF94BC", onAccent: "#3D0A22", tint: "#4A1F33", onTint: "#FFC4DA" },
  success: { accent: "#57D6A0", onAccent: "#06281A", tint: "#14382A", onTint: "#A5ECCD" },
};
