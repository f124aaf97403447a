import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { stack } from "../../../styles/mixins";
import { color, line, radius, size, space, text } from "#styles/tokens.css";

export const page = style({
  ...stack(space.lg),
  maxWidth: `calc(${size.form} + ${size.popover} + ${space.xxl})`,
  margin: "0 auto",
  padding: space.xl,
  "@media": { [media.narrow]: { padding: space.lg } },
});

/** The contents stay beside the text, where there is room. */
export const columns = style({
  ...stack(space.xl),
  "@media": { [media.detail]: { gridTemplateColumns: `${size.menu} minmax(0,1fr)` } },
});
export const contents = style({
  "@media": {
    [media.detail]: {
      position: "sticky",
      top: space.lg,
      alignSelf: "start",
      maxHeight: `calc(100vh - 2 * ${space.lg})`,
      overflowY: "auto",
    },
  },
});
globalStyle(`${contents} ul`, { listStyle: "none", ...text.label });
globalStyle(`${contents} a`, {
  display: "block",
  padding: `${space.xs} 0`,
  textDecoration: "none",
  color: color.muted,
});
globalStyle(`${contents} a:hover`, { textDecoration: "underline", color: color.text });

export const prose = style({ ...stack(space.lg), maxWidth: size.wideDialog });
globalStyle(`${prose} :is(ul,ol)`, { paddingInlineStart: space.xl });
globalStyle(`${prose} li + li`, { marginTop: space.xs });
globalStyle(`${prose} h3`, { marginTop: space.sm });
globalStyle(`${prose} > section + section`, { marginTop: space.lg });

/** A click selects all of an example, for copying. */
export const code = style({
  overflowX: "auto",
  margin: 0,
  padding: space.md,
  background: color.sunken,
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  userSelect: "all",
  ...text.label,
});

export const table = style({ width: "100%", borderCollapse: "collapse", ...text.label });
globalStyle(`${table} :is(th,td)`, {
  padding: `${space.sm} ${space.md} ${space.sm} 0`,
  borderBottom: `${line.thin} ${color.border}`,
  textAlign: "start",
  verticalAlign: "top",
});
globalStyle(`${table} code`, { overflowWrap: "anywhere" });
globalStyle(`${table} tbody th`, { width: size.name });
globalStyle(`${table} tbody :is(th,td)`, {
  "@media": { [media.narrow]: { display: "block", border: 0, padding: `${space.xxs} 0` } },
});
globalStyle(`${table} tbody tr`, {
  "@media": {
    [media.narrow]: {
      display: "block",
      padding: `${space.sm} 0`,
      borderBottom: `${line.thin} ${color.border}`,
    },
  },
});
globalStyle(`${table} thead`, { "@media": { [media.narrow]: { display: "none" } } });

export const search = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "end",
  gap: space.sm,
});
globalStyle(`${search} > div`, { flex: "1 1 0" });
