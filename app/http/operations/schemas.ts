/** Schemas of the answers of calls: the OpenAPI document and its tests read them. */
import * as z from "zod/mini";
import {
  approvalKinds,
  approvalStates,
  type Approval,
  type ApprovalKind,
} from "../../features/approvals/approval";
import { reachedMessages, type ReachableCap } from "../../features/caps/cap";
import { promotionStatuses } from "../../features/promotions/promotion";
import { answeredFields } from "../../features/promotions/promotion-api";
import { roleLabels, type Role } from "../../features/sign-in/user";
import { testPurposes, type TestPurpose } from "../../features/test-mode/test-code";
import { transactionSchema } from "../../features/transactions/transaction-api";

const id = z.int();
const instant = z.iso.datetime();
const role = z.enum(Object.keys(roleLabels) as [Role, ...Role[]]);
const status = z.enum(promotionStatuses);

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

export const testCodeSchema = z.object({
  code: z.string(),
  purpose: z.enum(Object.keys(testPurposes) as [TestPurpose, ...TestPurpose[]]),
  ...discountFields,
  activation_count: z.int(),
  machines: z.array(z.string()),
  creation_date: instant,
});

export const approvalSchema = z.object({
  id,
  kind: z.enum(Object.keys(approvalKinds) as [ApprovalKind, ...ApprovalKind[]]),
  name: z.string(),
  codes: z.nullable(z.int()),
  state: z.enum(Object.keys(approvalStates) as [Approval["state"], ...Approval["state"][]]),
  asked_at: instant,
  decided_at: z.nullable(instant),
  promotion_id: z.nullable(id),
  mass_generation_id: z.nullable(id),
});

export const machineSchema = z.object({
  serialNumber: z.string(),
  humanName: z.string(),
  lastQrUsed: z.nullable(instant),
  activePromotions: z.int(),
  isDeleted: z.boolean(),
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

export const alertSchema = z.object({
  id,
  kind: z.string(),
  subject: z.string(),
  message: z.string(),
  path: z.string(),
  raised_at: instant,
});

export const avatarFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  sizeInBytes: z.int(),
  privateUrl: z.string(),
  publicUrl: z.string(),
  new: z.boolean(),
});

export const userSchema = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string(),
  email: z.string(),
  role,
  disabled: z.boolean(),
  emailVerified: z.boolean(),
  avatar: z.array(avatarFileSchema),
  avatar_icon: z.string(),
  provider: z.string(),
  createdAt: instant,
  updatedAt: instant,
});

export const userListSchema = z.object({ rows: z.array(userSchema), count: z.int() });

export const ownUserSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role,
  avatar_icon: z.string(),
});

const tokens = { token: z.string(), refresh_token: z.string(), expires: z.int() };
export const tokensSchema = z.object(tokens);
export const signedInSchema = z.object({ ...tokens, user: ownUserSchema });

export const profileSchema = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  company: z.string(),
  role,
  user_id: id,
  api_key: z.nullable(z.string()),
  avatar_icon: z.string(),
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
  cap: z.optional(z.enum(Object.keys(reachedMessages) as [ReachableCap, ...ReachableCap[]])),
  /** The transaction that was rolled back before, for a repeated rollback. */
  transaction: z.optional(transactionSchema),
  fields: z.optional(z.record(z.string(), z.string())),
});

export const importSchema = z.object({
  id: z.int(),
  kind: z.string(),
  state: z.enum(["checking", "checked", "importing", "imported", "undoing", "undone"]),
  rows: z.int(),
  wrong_rows: z.int(),
  done_rows: z.int(),
  created_at: z.string(),
  imported_at: z.nullable(z.string()),
  /** Describes what the rows create; null before the dry run, and where a row is wrong. */
  summary: z.nullable(z.string()),
  /** The first entries that are in use by now, and stayed when it was undone. */
  stayed: z.array(z.object({ name: z.string(), reason: z.string() })),
  wrong: z.array(z.object({ line: z.int(), entry: z.string(), problem: z.string() })),
});
