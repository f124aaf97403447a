import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { stack } from "../../../styles/mixins";
import { actions } from "../layout/layout.css";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";

export const form = style({ ...stack(space.lg), maxWidth: size.form });

/** Label, hint, control and error of one field. */
export const field = style({ ...stack(space.xs), alignContent: "start" });

export const label = style({ ...text.label, fontWeight: weight.strong });
/** Beside the label: 'required', 'DD/MM/YYYY'. */
export const labelNote = style({ fontWeight: weight.normal, color: color.muted });
export const hint = style({ ...text.label, color: color.muted });

export const error = style({
  display: "flex",
  gap: space.xs,
  ...text.label,
  fontWeight: weight.strong,
  color: color.danger,
  // Messages name what was entered, such as an address.
  overflowWrap: "anywhere",
});

export const input = style({
  width: "100%",
  minHeight: size.control,
  padding: `${space.xs} ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.control,
  background: color.surface,
  "@media": { [media.narrow]: { minHeight: size.touch, ...text.touchInput } },
  // Width as well as colour: seen without colour vision and in forced colours.
  selectors: { "&[aria-invalid=true]": { borderColor: color.danger, borderWidth: space.xxs } },
});
globalStyle("::placeholder", { color: color.muted, opacity: 1 });
export const textArea = style([input, { resize: "vertical" }]);
export const select = style([input, { paddingInlineEnd: space.sm, cursor: "pointer" }]);

/** A control, and a button that helps to fill it. */
export const inputRow = style({ display: "flex", alignItems: "center", gap: space.sm });
globalStyle(`${inputRow} > button`, { flex: "none" });

/** Widths that say how much is expected: a number, a date. */
export const short = style({ maxWidth: size.short });
export const medium = style({ maxWidth: size.medium });

export const fieldset = field;
export const legend = style([label, { marginBottom: space.xs }]);

export const choiceGroup = style([wrappingRow, { gap: `${space.none} ${space.xl}` }]);
/** Puts more options than a line holds into columns. */
export const choiceColumns = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.menu}),1fr))`,
  columnGap: space.lg,
});

/** The <label> around a checkbox or radio and its words. */
export const choice = style({
  display: "flex",
  alignItems: "center",
  gap: space.sm,
  minHeight: size.action,
  paddingBlock: space.xs,
  cursor: "pointer",
  "@media": { [media.narrow]: { minHeight: size.touch } },
});
// Hints and errors align with the label, not with the box.
globalStyle(`${choice} ~ :is(${hint}, ${error})`, {
  marginInlineStart: `calc(${size.icon} + ${space.sm})`,
});
// All boxes look alike; a class would be repeated in each row of a list.
const checkboxes = '[type="checkbox"]';
const radios = '[type="radio"]';
const boxes = `:is(${checkboxes}, ${radios})`;
globalStyle(boxes, {
  flex: "none",
  width: size.icon,
  height: size.icon,
  margin: 0,
  // Ticked or not: a box without a tick has no baseline of its own.
  verticalAlign: "middle",
  cursor: "pointer",
  appearance: "none",
  display: "inline-grid",
  placeContent: "center",
  border: `${line.thin} ${color.control}`,
  background: color.surface,
  // The system draws its own, in its own colours.
  "@media": { [media.systemBoxes]: { appearance: "auto" } },
});
globalStyle(checkboxes, { borderRadius: space.xs });
globalStyle(radios, { borderRadius: radius.full });
globalStyle(`${boxes}:is(:checked, :indeterminate)`, { borderColor: color.accent });
globalStyle(`${checkboxes}:is(:checked, :indeterminate)`, { background: color.accent });
globalStyle(`${radios}:checked`, { borderWidth: `calc(${size.icon} / 4)` });
// A tick; half of it is a line.
globalStyle(`${checkboxes}:is(:checked, :indeterminate)::before`, {
  content: "''",
  width: `calc(${size.icon} / 2)`,
  borderBottom: `${line.thick} ${color.onAccent}`,
});
globalStyle(`${checkboxes}:checked::before`, {
  height: `calc(${size.icon} / 4)`,
  marginBottom: space.xxs,
  borderInlineStart: `${line.thick} ${color.onAccent}`,
  rotate: "-45deg",
});
globalStyle(`${checkboxes}::before`, {
  "@media": { [media.systemBoxes]: { display: "none" } },
});
globalStyle(`:is(${boxes}, ${input}):disabled`, {
  cursor: "not-allowed",
  background: color.sunken,
  color: color.muted,
});

/** Main action first, Cancel beside it. */
export const formActions = style([actions, { marginTop: space.sm }]);

export const errorSummary = style({
  display: "grid",
  gap: space.sm,
  padding: space.lg,
  border: `${line.thin} ${color.danger}`,
  borderRadius: radius.card,
  background: color.dangerBg,
  color: color.danger,
});
export const errorSummaryList = style({
  display: "grid",
  gap: space.xs,
  listStyle: "none",
  fontWeight: weight.strong,
  overflowWrap: "anywhere",
});

/** Puts the message of a button above it, in a row of buttons too. */
export const beforeButton = style({ flexBasis: "100%", ":empty": { display: "none" } });
