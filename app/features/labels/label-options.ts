/**
 * How labels are printed, as the address says: the same parameters lead to the screen, its preview
 * and the files.
 */
import type * as z from "zod/mini";
import { formatNumber } from "../../format/number";
import { choice, numberBetween } from "../../forms/fields";
import { parsePositive } from "../../lists/parse-list";
import { captionParts, type CaptionPart } from "./label-layout";
import {
  cutLines,
  gridSheet,
  labelSheets,
  labelsPerSheet,
  largestLabel,
  papers,
  singleLabel,
  smallestLabel,
  type CutLines,
  type LabelSheet,
  type LabelSheetName,
} from "./label-sheets";

const errorCorrections = ["L", "M", "Q", "H"] as const;
type ErrorCorrection = (typeof errorCorrections)[number];

/** A sheet that is bought, a grid or a single label with lengths of one's own. */
type LabelFormat = LabelSheetName | "grid" | "single";
export const labelFormats = [...Object.keys(labelSheets), "grid", "single"] as LabelFormat[];

export type LabelOptions = {
  format: LabelFormat;
  sheet: LabelSheet;
  errorCorrection: ErrorCorrection;
  /** Position of the first free label on the first sheet, from 1. */
  first: number;
  cut: CutLines;
  caption: CaptionPart[];
  /** Whether codes that no machine would accept any more are printed too. */
  isAll: boolean;
  /** Numbers of the first and the last code, in the order of the archive. */
  codes: NumberRange;
  /** The parameters that say the same. */
  params: [string, string][];
};

export type NumberRange = { from: number; to: number };

const { width: minWidth, height: minHeight } = smallestLabel;
const { width: maxWidth, height: maxHeight } = largestLabel;

const millimetres = { isWhole: false };

/** The default of each field, and its rule with the message about a value that breaks it. */
const ruled = {
  codes: ["redeemable", choice(["redeemable", "all"], "Choose redeemable codes or all codes")],
  format: ["l7160", choice(labelFormats, "Choose a label format")],
  paper: ["a4", choice(papers, "Choose A4 or US Letter")],
  columns: ["3", numberBetween("Columns", 1, 20)],
  rows: ["8", numberBetween("Rows", 1, 40)],
  margin_top: ["10", numberBetween("The top margin", 0, 150, millimetres)],
  margin_right: ["10", numberBetween("The right margin", 0, 150, millimetres)],
  margin_bottom: ["10", numberBetween("The bottom margin", 0, 150, millimetres)],
  margin_left: ["10", numberBetween("The left margin", 0, 150, millimetres)],
  gap_columns: ["2", numberBetween("The gap between columns", 0, 100, millimetres)],
  gap_rows: ["2", numberBetween("The gap between rows", 0, 100, millimetres)],
  width: ["57", numberBetween("The width", minWidth, maxWidth, millimetres)],
  height: ["32", numberBetween("The height", minHeight, maxHeight, millimetres)],
  error_correction: ["M", choice(errorCorrections, "Choose L, M, Q or H")],
  first: ["1", numberBetween("The first label", 1, 800)],
  cut: ["none", choice(cutLines, "Choose none, corners or lines")],
} satisfies Record<string, [initial: string, rule: z.ZodMiniType]>;
type RuledField = keyof typeof ruled;
const ruledFields = Object.keys(ruled) as RuledField[];
const gridFields = ruledFields.filter((name) => /^(paper|columns|rows|margin|gap)/.test(name));

/** Fields of ranges, whose rules are in `parseRange`, and of the codes to choose from. */
const unruled = { added: "", from_code: "", to_code: "", from_sheet: "", to_sheet: "" };
export type LabelField = RuledField | keyof typeof unruled;
export const defaultOptions = {
  ...unruled,
  ...Object.fromEntries(ruledFields.map((name) => [name, ruled[name][0]])),
} as Record<LabelField, string>;

/** Codes that were added together, with their numbers. */
type LabelPart = NumberRange & { id: string };

type LabelOptionErrors = Partial<Record<LabelField | "caption", string>>;

/**
 * Parses the options. A value that can't be used is replaced by its default, with a message in
 * `errors`: screens show it, files are refused. The sheets to print are left to `parseRange`.
 */
export function parseLabelOptions(
  params: URLSearchParams,
  numCodes: number,
  parts: readonly LabelPart[] = [],
) {
  const errors: LabelOptionErrors = {};
  const values = { ...defaultOptions };
  for (const name of Object.keys(defaultOptions) as LabelField[]) {
    values[name] = params.get(name)?.trim() || defaultOptions[name];
  }
  const used = new Map<RuledField, string>();
  const readDefault: Read = (name) => {
    used.set(name, defaultOptions[name]);
    return ruled[name][1].parse(defaultOptions[name]) as Value<typeof name>;
  };
  const read: Read = (name) => {
    const { data, error } = ruled[name][1].safeParse(values[name]);
    if (error) {
      errors[name] = error.issues[0]!.message;
      return readDefault(name);
    }
    used.set(name, String(data));
    return data as Value<typeof name>;
  };

  const format = read("format");
  let sheet = readSheet(format, read);
  if (format === "grid") Object.assign(errors, { ...misfits(sheet), ...errors });
  if (format === "grid" && gridFields.some((name) => errors[name])) sheet = gridOf(readDefault);
  const perSheet = labelsPerSheet(sheet);
  let first = perSheet === 1 ? 1 : read("first");
  if (errors.first || first > perSheet) {
    errors.first = `The first label must be a whole number from 1 to ${perSheet}, the number of labels on this sheet`;
    first = readDefault("first");
  }
  const caption = readCaption(params.getAll("caption"), errors);
  const part = parts.find(({ id }) => id === values.added);
  if (values.added !== "" && !part) errors.added = "Choose all codes or those that were added";
  const codes = parseRange("code", part ?? { from: 1, to: numCodes }, values);
  Object.assign(errors, codes.errors);
  const options: LabelOptions = {
    format,
    sheet,
    first,
    caption,
    codes: codes.range,
    isAll: read("codes") === "all",
    errorCorrection: read("error_correction"),
    cut: read("cut"),
    params: [
      ...used,
      ...(part ? [["added", part.id] as [string, string]] : []),
      ...codes.params,
      ...[...caption, "code"].map((part): [string, string] => ["caption", part]),
    ],
  };
  return { options, /** Raw values for the form. */ values, errors };
}

type Value<Name extends RuledField> = z.output<(typeof ruled)[Name][1]>;
type Read = <Name extends RuledField>(name: Name) => Value<Name>;

/**
 * Parses the fields of a range. An end that is empty is the first or the last there is; a range
 * that can't be used is replaced by all, with a message.
 * @param all the range of what there is
 */
export function parseRange(
  noun: "code" | "sheet",
  all: NumberRange,
  values: Pick<Record<LabelField, string>, "from_code" | "to_code" | "from_sheet" | "to_sheet">,
) {
  const errors: LabelOptionErrors = {};
  const names = [`from_${noun}`, `to_${noun}`] as const;
  const read = (name: (typeof names)[number], which: string, empty: number) => {
    if (values[name] === "") return empty;
    const number = parsePositive(values[name], all.to) ?? 0;
    if (number >= all.from) return number;
    errors[name] =
      all.from === all.to
        ? `There is only 1 ${noun}. Leave this empty or enter ${formatNumber(all.from)}`
        : `The ${which} ${noun} must be a whole number from ${formatNumber(all.from)} to ${formatNumber(all.to)}`;
    return empty;
  };
  const [from, to] = [read(names[0], "first", all.from), read(names[1], "last", all.to)];
  if (from > to && Object.keys(errors).length === 0)
    errors[names[1]] = `The last ${noun} comes before the first`;
  const isUsable = Object.keys(errors).length === 0;
  return {
    range: isUsable ? { from, to } : { from: all.from, to: all.to },
    errors,
    /** Parameters that say the same. */
    params: names
      .filter((name) => isUsable && values[name] !== "")
      .map((name): [string, string] => [name, values[name]]),
  };
}

function readSheet(format: LabelFormat, read: Read): LabelSheet {
  if (format === "single") return singleLabel({ width: read("width"), height: read("height") });
  return format === "grid" ? gridOf(read) : labelSheets[format];
}

function gridOf(read: Read): LabelSheet {
  return gridSheet({
    paper: read("paper"),
    columns: read("columns"),
    rows: read("rows"),
    margin: {
      top: read("margin_top"),
      right: read("margin_right"),
      bottom: read("margin_bottom"),
      left: read("margin_left"),
    },
    gap: { x: read("gap_columns"), y: read("gap_rows") },
  });
}

/** Lists the measures by which a custom grid exceeds its paper. */
function misfits({ label, columns, rows }: LabelSheet): LabelOptionErrors {
  const errors: LabelOptionErrors = {};
  if (label.width < minWidth)
    errors.columns = misfit(columns, "column", "wide", label.width, minWidth);
  if (label.height < minHeight) errors.rows = misfit(rows, "row", "high", label.height, minHeight);
  return errors;
}

function misfit(count: number, noun: string, how: string, length: number, min: number): string {
  const start = `${formatNumber(count)} ${noun}${count === 1 ? " doesn't" : "s don't"} fit`;
  return length <= 0
    ? `${start}: margins and gaps leave no room for labels`
    : `${start}: a label would be ${formatLength(length)} mm ${how}, and needs ${min} mm`;
}

/** Parses the named parts; none means all, and `code`, which is always printed, means no other. */
function readCaption(named: string[], errors: LabelOptionErrors): CaptionPart[] {
  if (named.length === 0) return [...captionParts];
  const isKnown = (part: string) => part === "code" || captionParts.some((one) => one === part);
  if (!named.every(isKnown)) errors.caption = "Choose from name, discount and expiration";
  return captionParts.filter((part) => named.includes(part));
}

/** Millimetres to two decimals at max: '63.5', '66.68'. */
export function formatLength(millimetres: number): string {
  return String(Math.round(millimetres * 100) / 100);
}

/** 'L7160: 21 of 63.5 × 38.1 mm', with the number that Avery gave the sheet. */
export function formatLabels(format: LabelFormat): string {
  if (format === "grid") return "Custom columns and rows";
  if (format === "single") return "Custom label size";
  const { width, height } = labelSheets[format].label;
  const count = labelsPerSheet(labelSheets[format]);
  const size = `${formatLength(width)} × ${formatLength(height)} mm`;
  return count === 1 ? size : `${format.toUpperCase()}: ${count} of ${size}`;
}

export const formatGroups: { label: string; formats: LabelFormat[] }[] = [
  { label: "A4 sheets", formats: ["l7651", "l7159", "l7160", "l7163"] },
  { label: "US Letter sheets", formats: ["5160", "5163"] },
  {
    label: "Label printer, one label per page",
    formats: ["57x32", "62x29", "89x36", "100x50", "single"],
  },
  { label: "Other sheets", formats: ["grid"] },
];
