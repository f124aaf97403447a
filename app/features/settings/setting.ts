/** The settings of the site, each a row, for browser and server alike. */
import * as z from "zod/mini";
import {
  choice,
  labelledText,
  notBlank,
  orNone,
  tick,
  trimmedText,
  wholeNumber,
} from "../../forms/fields";
import { editValidator } from "../../forms/form-validator";
import { formatNumber } from "../../format/number";
import { productName, themes } from "../../format/site";

export const sections = [
  "Site",
  "Money",
  "Limits",
  "Sign-up",
  "Customer page",
  "Retention",
] as const;

type Control =
  | { type: "text"; width?: "short" | "medium" }
  | { type: "colour" }
  | { type: "number"; unit?: string }
  /** Has no hint. */
  | { type: "choice"; labels: Readonly<Record<string, string>> }
  | { type: "tick" };

/**
 * A setting: its row is its field on the screen, and its column in `site_settings` has its name in snake case.
 */
type Setting<Value> = {
  section: (typeof sections)[number];
  label: string;
  hint?: string;
  control: Control;
  rule: z.ZodMiniType<Value>;
  /** Counts until an admin saves another value. */
  initial: NoInfer<Value>;
  /** The variable that decides it where it is set. `environment()` has its value under the name of the setting. */
  variable?: string;
};

const setting = <Value>(row: Setting<Value>) => row;

const currencyPlaces = { before: "Before the amount: $1.50", after: "After the amount: 1.50 $" };
const weekStarts = { monday: "Monday", sunday: "Sunday" };

const [minDays, maxDays] = [30, 3_650];

/** @param more ends the message */
function days(label: string, more = "") {
  const isRetention = (text: string) =>
    /^\d{1,6}$/.test(text) && Number(text) >= minDays && Number(text) <= maxDays;
  const range = `from ${minDays} to ${formatNumber(maxDays)}`;
  const message = `${label} must be kept for a whole number of days ${range}${more}`;
  return z.pipe(trimmedText.check(z.refine(isRetention, message)), z.transform(Number));
}

function visibleLine(label: string, maxLength: number) {
  const message = `${label} contains characters that are not shown`;
  return labelledText(label, maxLength).check(z.refine((line) => !/\p{C}/u.test(line), message));
}

const settingRows = {
  siteName: setting({
    section: "Site",
    label: "Site name",
    hint: "Shown on every page, in page titles and in mails.",
    control: { type: "text", width: "medium" },
    rule: visibleLine("Site name", 50).check(notBlank("Site name is required")),
    initial: productName,
  }),
  weekStart: setting({
    section: "Site",
    label: "First day of the week",
    control: { type: "choice", labels: weekStarts },
    rule: choice(weekStarts, "Choose the first day of the week"),
    initial: "monday",
  }),
  theme: setting({
    section: "Site",
    label: "Theme until people choose their own",
    control: { type: "choice", labels: themes },
    rule: choice(themes, "Choose a theme"),
    initial: "default",
  }),
  currencySymbol: setting({
    section: "Money",
    label: "Currency symbol",
    hint: "Amounts have two decimals. Changing the symbol converts nothing.",
    control: { type: "text", width: "short" },
    rule: labelledText("Currency symbol", 5).check(
      notBlank("Currency symbol is required"),
      z.refine(
        (symbol) => !/[\d.,+-]/.test(symbol),
        "Currency symbol cannot contain digits or signs",
      ),
    ),
    initial: "$",
  }),
  currencyPlace: setting({
    section: "Money",
    label: "Place of the symbol",
    control: { type: "choice", labels: currencyPlaces },
    rule: choice(currencyPlaces, "Choose the place of the symbol"),
    initial: "before",
  }),
  maxCodes: setting({
    section: "Limits",
    label: "Codes of a campaign",
    hint: "The most that Mass Generation makes at once, up to 1,000,000.",
    control: { type: "number" },
    rule: wholeNumber("Codes of a campaign", 1_000_000),
    initial: 100_000,
    variable: "MAX_CODES",
  }),
  approvalCodes: setting({
    section: "Limits",
    label: "Codes that one person makes in 24 hours",
    hint: "More wait for a second admin, and so does a change of this limit. If empty, nobody waits.",
    control: { type: "number" },
    rule: orNone(wholeNumber("Codes that one person makes", 1_000_000)),
    initial: null,
  }),
  allowSignup: setting({
    section: "Sign-up",
    label: "People can sign up on the sign-in page",
    hint: "They become users once they have verified their email address. Otherwise admins invite people.",
    control: { type: "tick" },
    rule: tick,
    initial: false,
    variable: "ALLOW_SIGNUP",
  }),
  customerPage: setting({
    section: "Customer page",
    label: "Customers see a page of their code when they scan it with a phone",
    hint: "It says what the code gives, until when, at which hours and machines, in English, German, French or Spanish.",
    control: { type: "tick" },
    rule: tick,
    initial: false,
  }),
  customerName: setting({
    section: "Customer page",
    label: "Your name",
    hint: "The heading of the page, and the sender of mails with codes. If empty, the site name.",
    control: { type: "text", width: "medium" },
    rule: visibleLine("Your name", 50),
    initial: "",
  }),
  customerColour: setting({
    section: "Customer page",
    label: "Colour",
    hint: "Behind your name, which is black or white, whichever is easier to read.",
    control: { type: "colour" },
    rule: trimmedText.check(z.regex(/^#[0-9a-f]{6}$/i, "Choose a colour such as #3f51c8")),
    initial: "#3f51c8",
  }),
  customerText: setting({
    section: "Customer page",
    label: "Line of text",
    hint: "Below your name: a greeting or an offer.",
    control: { type: "text" },
    rule: visibleLine("Line of text", 200),
    initial: "",
  }),
  customerContact: setting({
    section: "Customer page",
    label: "Whom to ask",
    hint: "For questions and wrong codes: a place, a phone number, an email address.",
    control: { type: "text" },
    rule: visibleLine("Whom to ask", 200),
    initial: "",
  }),
  refusalDays: setting({
    section: "Retention",
    label: "Refused attempts",
    hint: "At least 30 days; empty keeps them for ever. Reports keep their numbers. While the site has sample data, all are kept.",
    control: { type: "number", unit: "days" },
    rule: orNone(days("Refused attempts", ", or left empty")),
    initial: null,
  }),
  eventDays: setting({
    section: "Retention",
    label: "Events and webhook deliveries",
    hint: "At least 30 days.",
    control: { type: "number", unit: "days" },
    rule: days("Events"),
    initial: 30,
  }),
  mailDays: setting({
    section: "Retention",
    label: "Sent mails",
    hint: "At least 30 days. Failed mails stay for at least 90 days.",
    control: { type: "number", unit: "days" },
    rule: days("Sent mails"),
    initial: 30,
  }),
};

type Rows = typeof settingRows;
export type SettingName = keyof Rows;
export type Settings = { [Name in SettingName]: z.infer<Rows[Name]["rule"]> };

export const settingNames = Object.keys(settingRows) as SettingName[];

export function settingRow(name: SettingName): Setting<Settings[SettingName]> {
  return settingRows[name] as Setting<Settings[SettingName]>;
}

/** The file of a new logo, and the box that removes the present one. */
export const logoField = "logo";
export const removeLogoField = "removeLogo";

/** @param fixed settings that the environment decides, which are no fields of the form */
export function settingsValidator(fixed: readonly SettingName[]) {
  const open = settingNames.filter((name) => !fixed.includes(name));
  const fields = Object.fromEntries(open.map((name) => [name, settingRow(name).rule]));
  return editValidator(
    z.object({ ...fields, [removeLogoField]: tick }) as unknown as SettingsSchema,
  );
}

type SettingsSchema = z.ZodMiniType<Partial<Settings> & { removeLogo: boolean }>;

export function toFieldValue(value: Settings[SettingName]): string | boolean {
  return typeof value === "boolean" ? value : String(value ?? "");
}

export function describeSetting(name: SettingName, value: Settings[SettingName]): string {
  const { control } = settingRow(name);
  if (control.type === "choice") return control.labels[String(value)]!;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const unit = control.type === "number" ? control.unit : undefined;
  if (value === null) return unit === "days" ? "For ever" : "No limit";
  if (typeof value === "number") return [formatNumber(value), unit].filter(Boolean).join(" ");
  return value === "" ? "None" : value;
}
