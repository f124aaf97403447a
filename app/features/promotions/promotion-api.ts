/** Promotions as the API reads and writes them, in snake case. */
import * as z from "zod/mini";
import { DomainError, invalidFields } from "../../errors";
import { choice, requiredField } from "../../forms/fields";
import { parseFields, readFields } from "../../forms/form-validator";
import { formatDateInput } from "../../forms/date-input";
import type { FieldErrors } from "../../forms/validator";
import { discountTypeLabels } from "../../format/promotion";
import { formatNumber } from "../../format/number";
import { type ApiCaps, byApiName, fromApiCaps } from "../caps/cap";
import { maxOf } from "../caps/cap-forms";
import { parseApiDate, toApiDate } from "./expiry-date";
import {
  type Hours,
  hasTooManyWindows,
  maxClosedDays,
  maxRows,
  maxWindows,
  type Schedule,
} from "./schedule";
import type { PatternInput } from "./form/code-pattern";
import type { TermsInput } from "./form/terms-input";
import { patternErrors, withTerms } from "./form/terms-input.server";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import type { Promotion, PromotionList } from "./promotion";
import { answerFields, type PromotionField } from "./promotion-fields";

const numberText = z.transform((number: number | null) => (number === null ? "" : String(number)));

/** A number of a body, read as forms have it; null is none. */
function sentNumber(message: string) {
  return z.pipe(z._default(z.nullable(z.number(message)), null), numberText);
}

/** The same of a number that has to be sent. */
export function sentRequiredNumber(missing: string, message: string) {
  return z.pipe(z.nullable(z.number(requiredField(missing, message))), numberText);
}

function sentFlag(name: string) {
  return z._default(z.boolean(`${name} must be true or false`), false);
}

/** A text of a body that `parse` reads; null is none. */
function sentText(message: string, parse: (text: string) => string | null) {
  return z.nullable(
    z.pipe(
      z.string(message).check(z.refine((text) => parse(text) !== null, message)),
      z.transform((text) => parse(text)!),
    ),
  );
}

/** The last valid day of a body, read as YYYY-MM-DD; null is none. */
export const sentDate = sentText("Invalid date. Send it as YYYY-MM-DDT23:59:59", parseApiDate);

const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;

const isApiDay = (text: string) => parseApiDate(toApiDate(text)) === text;

function parseApiStart(text: string): string | null {
  const [date = "", time = "00:00", ...more] = text.split("T");
  return isApiDay(date) && timePattern.test(time) && more.length === 0 ? `${date}T${time}` : null;
}

/** The start of a body: YYYY-MM-DD or YYYY-MM-DDTHH:MM, read as the latter; null has begun. */
export const sentStart = sentText(
  "Invalid start. Send it as YYYY-MM-DD or YYYY-MM-DDTHH:MM",
  parseApiStart,
);

const daysMessage = "Days must be a list of numbers from 1, Monday, to 7";
const hoursMessage = `Hours must be a list of at most ${maxWindows} windows a week`;
const exceptMessage = `Except must be a list of at most ${maxClosedDays} days, YYYY-MM-DD`;
const weekday = z.int(daysMessage).check(z.minimum(1, daysMessage), z.maximum(7, daysMessage));
const windowSchema = z
  .strictObject(
    {
      days: z
        .array(weekday, daysMessage)
        .check(z.minLength(1, daysMessage), z.maxLength(7, daysMessage)),
      from: z.string("from must be HH:MM").check(z.regex(timePattern, "from must be HH:MM")),
      to: z
        .string("to must be HH:MM")
        .check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "to must be HH:MM, at most 24:00")),
    },
    "Each window must be {days, from, to}",
  )
  .check(z.refine(({ from, to }) => from !== to, "from and to must differ"));

/** The schedule of a body; null holds always, and an edit keeps the part that is left out. */
export const sentSchedule = z.nullable(
  z.strictObject(
    {
      hours: z.optional(
        z.array(windowSchema, hoursMessage).check(
          z.maxLength(maxRows, hoursMessage),
          z.refine((hours) => !hasTooManyWindows(hours), hoursMessage),
        ),
      ),
      except: z.optional(
        z
          .array(z.string(exceptMessage).check(z.refine(isApiDay, exceptMessage)), exceptMessage)
          .check(z.maxLength(maxClosedDays, exceptMessage)),
      ),
    },
    "Schedule must be {hours, except}",
  ),
);

type SentSchedule = { hours?: Hours[] | undefined; except?: string[] | undefined };

/** @param existing the schedule that keeps the part that is left out */
export function fromApiSchedule(
  sent: SentSchedule | null,
  existing: Schedule | null = null,
): Schedule | null {
  if (sent === null) return null;
  const { hours = existing?.hours ?? [], except = existing?.except ?? [] } = sent;
  return { hours, except };
}

const capOf = (name: string, max: number) => {
  const message = `${name} must be a whole number from 1 to ${formatNumber(max)}`;
  return z.optional(
    z.nullable(z.int(message).check(z.minimum(1, message), z.maximum(max, message))),
  );
};

/** The caps of a body; null is without, and an edit keeps those that are left out. Money is in cents. */
export const sentCaps = z.nullable(
  z.strictObject(
    byApiName((cap, name) => capOf(name, maxOf(cap))),
    `Caps must be {${Object.values(byApiName((_, name) => name)).join(", ")}}`,
  ),
);

/** The fields of the bodies that create codes, read as forms have them. */
export const sentFields = {
  name: z.string(requiredField("Name is required", "Name must be text")),
  discount_value: sentNumber("Discount must be a whole number"),
  discount_type: choice(discountTypeLabels, "Choose percentage or free_drink"),
  is_single_use: sentFlag("is_single_use"),
  is_renewable: sentFlag("is_renewable"),
  expiration_date: z.pipe(
    z._default(sentDate, null),
    z.transform((date) => (date === null ? "" : formatDateInput(date))),
  ),
  // The form has a text, which is read where the rest of the form is.
  starts_at: z.pipe(
    z._default(sentStart, null),
    z.transform((start) => start ?? ""),
  ),
  schedule: z._default(sentSchedule, null),
  caps: z._default(sentCaps, null),
} satisfies Record<PromotionField, z.ZodMiniType>;

/** The pattern of the codes that a body creates, read as forms have it. */
export const sentPattern = {
  code_prefix: z.pipe(
    z._default(z.nullable(z.string("Prefix must be text")), null),
    z.transform((prefix) => prefix ?? ""),
  ),
  code_length: sentNumber("Length must be a whole number"),
};

const { name: promotionName, discount_value: discount, ...sameFields } = sentFields;
const machinesMessage = "Machines must be a list of serial numbers";

/** Body of `POST /api/create_promotion`, which `singleFormSchema` checks. */
export const createPromotionBody = z.strictObject({
  promotionName,
  discount,
  ...sameFields,
  ...sentPattern,
  machines: z._default(z.array(z.string(machinesMessage), machinesMessage), []),
});

type SentTerms = { schedule: SentSchedule | null; caps: Partial<ApiCaps> | null };

/**
 * Returns what the form of a body makes of it, with the start, the schedule, the caps and the code pattern of the body.
 * @param rules returns messages about a wrong body, by rules that hold now, too
 * @throws DomainError invalid, with a message for each wrong field
 */
export async function parseSentTerms<Values extends TermsInput, Body extends SentTerms>(
  schema: z.ZodMiniType<Values>,
  body: Body,
  rules: (sent: Body) => Promise<FieldErrors>,
) {
  try {
    const values = parseFields(schema, body);
    const startsAt = values.starts_at || null;
    const { schedule, caps } = body;
    const terms = { startsAt, schedule: fromApiSchedule(schedule), caps: fromApiCaps(caps) };
    return withTerms(values, terms);
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    throw invalidFields({ ...cause.fields, ...(await rules(body)) });
  }
}

/**
 * Returns messages about a body by the rules of its form. Without a known type of discount, the only rule of its value
 * is that there is one.
 */
export function bodyErrors(
  schema: z.ZodMiniType,
  sent: Record<string, unknown>,
  discountField: "discount" | "discount_value",
): FieldErrors {
  const { [discountField]: discountError, ...fieldErrors } = readFields(schema, sent).errors ?? {};
  const { code_prefix = "", code_length = "" } = sent as Partial<PatternInput>;
  const errors: FieldErrors = { ...fieldErrors, ...patternErrors({ code_prefix, code_length }) };
  const error =
    errors.discount_type === undefined
      ? discountError
      : sent[discountField] === "" && "Discount is required";
  return error ? { ...errors, [discountField]: error } : errors;
}

/** The fields of promotions and mass generations in answers. */
export const answeredFields = {
  name: z.string(),
  discount_type: z.enum(["percentage", "free_drink"]),
  discount_value: z.int(),
  /** The end of a local day, without a zone. */
  expiration_date: z.nullable(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T23:59:59$/))),
  starts_at: z.nullable(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/))),
  schedule: z.nullable(
    z.object({
      hours: z.array(z.object({ days: z.array(z.int()), from: z.string(), to: z.string() })),
      except: z.array(z.string()),
    }),
  ),
  caps: z.nullable(z.object(byApiName(() => z.nullable(z.int())))),
  is_single_use: z.boolean(),
  is_renewable: z.boolean(),
} satisfies Record<PromotionField, z.ZodMiniType>;

/** @param machines serial numbers by the id of the promotion */
export function toApiPromotion(
  promotion: Promotion,
  machines: ReadonlyMap<string, string[]>,
  timeZone: string,
  reader: Reader,
) {
  const { massGenerationId } = promotion;
  return {
    id: Number(promotion.id),
    code: codeFor(reader, promotion.code),
    type: massGenerationId === null ? "single" : "mass",
    ...answerFields(promotion, timeZone),
    creation_date: promotion.createdAt.toISOString(),
    is_active: promotion.isActive,
    is_deleted: promotion.isDeleted,
    version: promotion.version,
    activation_count: promotion.activationCount,
    remaining_uses: promotion.remainingUses,
    mass_generation_id: massGenerationId === null ? null : Number(massGenerationId),
    is_used: promotion.activationCount > 0,
    is_reusable: !promotion.isSingleUse,
    is_expired: promotion.isExpired,
    is_indefinite: promotion.expiresAt === null,
    status: promotion.status,
    machines: machines.get(promotion.id) ?? [],
  };
}

/**
 * Writes a page of the list. `next` is for `after`. Beyond the last page the list is empty,
 * so that a client that counts pages comes to an end.
 * @param requestedPage as in the URL
 */
export function toApiPromotionList(
  list: PromotionList,
  requestedPage: number,
  machines: ReadonlyMap<string, string[]>,
  timeZone: string,
  reader: Reader,
) {
  const { promotions, perPage, next, isFallback } = list;
  return {
    promotions: isFallback
      ? []
      : promotions.map((promotion) => toApiPromotion(promotion, machines, timeZone, reader)),
    page: isFallback ? requestedPage : list.page,
    per_page: perPage,
    next: isFallback || next === null ? null : Number(next),
  };
}
