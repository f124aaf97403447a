/** Schemas of the answers of calls, which the OpenAPI document and its tests read, and how some are read. */
import * as z from "zod/mini";
import type { Alert } from "../../features/alerts/alert";
import { approvalKinds, approvalStates, type Approval } from "../../features/approvals/approval";
import { reachedMessages } from "../../features/caps/cap";
import type { Import } from "../../features/imports/import";
import { importKinds } from "../../features/imports/import-kinds";
import type { Machine } from "../../features/machines/machine";
import type { ManagedUser } from "../../features/people/managed-user";
import { toApiFile } from "../../features/people/photos.server";
import type { Profile } from "../../features/people/profile.server";
import { promotionStatuses } from "../../features/promotions/promotion";
import { answeredFields } from "../../features/promotions/promotion-api";
import { masked } from "../../features/sign-in/masked";
import { roleLabels, type User } from "../../features/sign-in/user";
import { testMachineSerial, testPurposes, type TestCode } from "../../features/test-mode/test-code";
import { transactionSchema } from "../../features/transactions/transaction-api";

const id = z.int();
const instant = z.iso.datetime();
const oneOf = (labels: object) => z.enum(Object.keys(labels));
const role = oneOf(roleLabels);
const status = z.enum(promotionStatuses);

/** Declares an answer by its fields, each with its schema and how it is read: nothing else is ever sent. */
function answerOf<Source>(
  fields: Record<string, [schema: z.ZodMiniType, read: (source: Source) => unknown]>,
) {
  const entries = Object.entries(fields);
  return {
    schema: z.object(Object.fromEntries(entries.map(([name, [schema]]) => [name, schema]))),
    of: (source: Source) =>
      Object.fromEntries(entries.map(([name, [, read]]) => [name, read(source)])),
  };
}

const { discount_type, discount_value, is_single_use } = answeredFields;
const discountFields = { discount_type, discount_value, is_single_use };

const campaignFields = {
  ...answeredFields,
  creation_date: instant,
  is_active: z.boolean(),
  is_deleted: z.boolean(),
};

export const promotionSchema = z.object({
  id,
  code: z.string(),
  type: z.enum(["single", "mass"]),
  ...campaignFields,
  version: z.int(),
  activation_count: z.int(),
  remaining_uses: z.nullable(z.int()),
  mass_generation_id: z.nullable(id),
  is_used: z.boolean(),
  is_reusable: z.boolean(),
  is_expired: z.boolean(),
  is_indefinite: z.boolean(),
  status,
  /** Serial numbers of the machines that accept the code, those of its groups too. */
  machines: z.array(z.string()),
});

export const promotionListSchema = z.object({
  promotions: z.array(promotionSchema),
  /** Exact; of more than 10,000 that are not counted yet, `total_at_least` stands in its place. */
  total: z.optional(z.int()),
  total_at_least: z.optional(z.int()),
  page: z.int(),
  per_page: z.int(),
  next: z.nullable(id),
});

export const massGenerationSchema = z.object({
  id,
  num_codes: z.int(),
  ...campaignFields,
  version: z.int(),
  added: z.array(
    z.object({
      id: z.int(),
      num_codes: z.int(),
      first_number: z.int(),
      creation_date: z.string(),
    }),
  ),
  codes_by_status: z.record(z.string(), z.int()),
});

export const testCodeAnswer = answerOf<TestCode>({
  code: [z.string(), ({ code }) => code],
  purpose: [oneOf(testPurposes), ({ purpose }) => purpose],
  discount_type: [discount_type, ({ discountType }) => discountType],
  discount_value: [discount_value, ({ discountValue }) => discountValue],
  is_single_use: [is_single_use, ({ isSingleUse }) => isSingleUse],
  activation_count: [z.int(), ({ uses }) => uses],
  machines: [
    z.array(z.string()),
    ({ purpose }) => (purpose === "not_assigned" ? [] : [testMachineSerial]),
  ],
  creation_date: [instant, ({ createdAt }) => createdAt.toISOString()],
});

const isMass = ({ kind }: Approval) => kind === "mass" || kind === "added";

/** Returns the id of what an approval made; null before, and where it made neither codes nor a campaign. */
const madeId = ({ result, kind }: Approval) =>
  result && kind !== "limit" && kind !== "import" ? Number(result.split("/").at(-1)) : null;

export const approvalAnswer = answerOf<Approval>({
  id: [id, (approval) => Number(approval.id)],
  kind: [oneOf(approvalKinds), ({ kind }) => kind],
  name: [z.string(), ({ name }) => name],
  codes: [z.nullable(z.int()), ({ codes }) => codes],
  state: [oneOf(approvalStates), ({ state }) => state],
  asked_at: [instant, ({ askedAt }) => askedAt.toISOString()],
  decided_at: [z.nullable(instant), ({ decidedAt }) => decidedAt?.toISOString() ?? null],
  promotion_id: [z.nullable(id), (approval) => (isMass(approval) ? null : madeId(approval))],
  mass_generation_id: [z.nullable(id), (approval) => (isMass(approval) ? madeId(approval) : null)],
});

export const machineAnswer = answerOf<Machine>({
  serialNumber: [z.string(), ({ serialNumber }) => serialNumber],
  humanName: [z.string(), ({ humanName }) => humanName],
  lastQrUsed: [z.nullable(instant), ({ lastQrUsed }) => lastQrUsed?.toISOString() ?? null],
  activePromotions: [z.int(), ({ activePromotions }) => activePromotions],
  isDeleted: [z.boolean(), ({ isDeleted }) => isDeleted],
});

export const machinePromotionsSchema = z.object({
  promotions: z.array(
    z.object({
      name: z.string(),
      ...discountFields,
      promotion_id: z.nullable(id),
      mass_generation_id: z.nullable(id),
      codes: z.int(),
    }),
  ),
  total: z.int(),
  active_promotions: z.int(),
  page: z.int(),
  per_page: z.int(),
});

export const groupSchema = z.object({
  id,
  name: z.string(),
  kind: z.enum(["site", "route", "customer", "other"]),
  machines: z.int(),
});

export const alertAnswer = answerOf<Alert>({
  id: [id, (alert) => Number(alert.id)],
  kind: [z.string(), ({ kind }) => kind],
  subject: [z.string(), ({ subject }) => subject],
  message: [z.string(), ({ message }) => message],
  path: [z.string(), ({ button }) => button.to],
  raised_at: [instant, ({ raisedAt }) => raisedAt.toISOString()],
});

export const avatarFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  sizeInBytes: z.int(),
  privateUrl: z.string(),
  publicUrl: z.string(),
  new: z.boolean(),
});

export const userAnswer = answerOf<ManagedUser>({
  id: [id, (user) => Number(user.id)],
  firstName: [z.string(), ({ firstName }) => firstName],
  lastName: [z.string(), ({ lastName }) => lastName],
  phoneNumber: [z.string(), ({ phoneNumber }) => phoneNumber],
  email: [z.string(), ({ email }) => email],
  role: [role, (user) => user.role],
  disabled: [z.boolean(), ({ isDisabled }) => isDisabled],
  emailVerified: [z.boolean(), ({ isVerified }) => isVerified],
  avatar: [z.array(avatarFileSchema), ({ photo }) => (photo ? [toApiFile(photo)] : [])],
  avatar_icon: [z.string(), ({ avatarIcon }) => avatarIcon],
  provider: [z.string(), () => "local"],
  createdAt: [instant, ({ createdAt }) => createdAt.toISOString()],
  updatedAt: [instant, ({ updatedAt }) => updatedAt.toISOString()],
});

export const userListSchema = z.object({ rows: z.array(userAnswer.schema), count: z.int() });

export const ownUserAnswer = answerOf<User>({
  id: [z.string(), (user) => user.id],
  email: [z.string(), ({ email }) => email],
  firstName: [z.string(), ({ firstName }) => firstName],
  lastName: [z.string(), ({ lastName }) => lastName],
  role: [role, (user) => user.role],
  avatar_icon: [z.string(), ({ avatarIcon }) => avatarIcon],
});

const tokens = { token: z.string(), refresh_token: z.string(), expires: z.int() };
export const tokensSchema = z.object(tokens);
export const signedInSchema = z.object({ ...tokens, user: ownUserAnswer.schema });

/** `keyEnd` is the last four characters of the user's API key, or null. */
export const profileAnswer = answerOf<Profile & { keyEnd: string | null }>({
  email: [z.string(), ({ email }) => email],
  phone: [z.string(), ({ phone }) => phone],
  company: [z.string(), ({ company }) => company],
  role: [role, (profile) => profile.role],
  first_name: [z.string(), ({ firstName }) => firstName],
  last_name: [z.string(), ({ lastName }) => lastName],
  user_id: [id, (profile) => Number(profile.id)],
  api_key: [z.nullable(z.string()), ({ keyEnd }) => keyEnd && masked(keyEnd)],
  avatar_icon: [z.string(), ({ avatarIcon }) => avatarIcon],
});

export const messageSchema = z.object({ message: z.string() });

export const deletedGenerationSchema = z.object({
  id,
  is_deleted: z.boolean(),
  deleted_codes: z.int(),
});

export const errorSchema = z.object({
  error: z.string(),
  reason: z.optional(z.string()),
  cap: z.optional(oneOf(reachedMessages)),
  /** The transaction that was rolled back before, for a repeated rollback. */
  transaction: z.optional(transactionSchema),
  fields: z.optional(z.record(z.string(), z.string())),
});

export const importAnswer = answerOf<Import & { wrong: object[] }>({
  id: [z.int(), (item) => Number(item.id)],
  kind: [z.string(), ({ kind }) => kind],
  state: [
    z.enum(["checking", "checked", "importing", "imported", "undoing", "undone"]),
    ({ state }) => state,
  ],
  rows: [z.int(), ({ rows }) => rows],
  wrong_rows: [z.int(), ({ wrongRows }) => wrongRows],
  done_rows: [z.int(), ({ position }) => position],
  created_at: [z.string(), ({ createdAt }) => createdAt.toISOString()],
  imported_at: [z.nullable(z.string()), ({ importedAt }) => importedAt?.toISOString() ?? null],
  /** Describes what the rows create; null before the dry run, and where a row is wrong. */
  summary: [
    z.nullable(z.string()),
    ({ outcome, kind }) => outcome && importKinds[kind].describe(outcome.counts),
  ],
  /** The first entries that are in use by now, and stayed when it was undone. */
  stayed: [
    z.array(z.object({ name: z.string(), reason: z.string() })),
    ({ outcome }) => outcome?.stayed?.named ?? [],
  ],
  wrong: [
    z.array(z.object({ line: z.int(), entry: z.string(), problem: z.string() })),
    ({ wrong }) => wrong,
  ],
});
