import { invalidFields } from "../../errors";
import { readTotal } from "../../features/dashboard/promotion-states.server";
import { siteTimeZone, siteToday } from "../../db/site.server";
import { createPromotion } from "../../features/promotions/form/create-promotion.server";
import { noToday, singleFormSchema } from "../../features/promotions/form/promotion-forms";
import { editPromotion } from "../../features/promotions/form/edit-promotion.server";
import { changeLifecycle } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { countPromotions } from "../../features/promotions/list/count-promotions.server";
import { listPromotions } from "../../features/promotions/list/list-promotions.server";
import {
  noFilters,
  parsePromotionApiList,
  promotionList,
  type PromotionListQuery,
} from "../../features/promotions/list/promotion-filters";
import { lastDay } from "../../features/promotions/expiry-date";
import {
  bodyErrors,
  createPromotionBody,
  parseSentTerms,
  toApiPromotion,
  toApiPromotionList,
} from "../../features/promotions/promotion-api";
import {
  promotionStatuses,
  type Promotion,
  type PromotionList,
} from "../../features/promotions/promotion";
import {
  getPromotion,
  getPromotionDetails,
  listSerialNumbers,
  promotionExists,
} from "../../features/promotions/promotions.server";
import type { Reader } from "../../features/sign-in/user";
import { apiError } from "../answers.server";
import { oneOf, operation, type QueryParams } from "../api.server";
import { codesResponse, qrImageResponse } from "../downloads.server";
import { editBody, editedTerms } from "./edit-body";
import { promotionListSchema, promotionSchema } from "./schemas";

const sorts = {
  type: "string",
  pattern: `^-?(${Object.keys(promotionList.sorts).join("|")})$`,
};

const flag = (condition: string): QueryParams[string] => [
  `true: the code ${condition}; false: all others.`,
  { type: "boolean" },
];

const promotionListParams: QueryParams = {
  page: "From 1, up to row 10,000; beyond it follow `next` with `after`.",
  per_page: "At most 100.",
  after: "A cursor: the rows after this id.",
  before: "A cursor: the rows before this id.",
  sort: [
    "name or -name, which turns the order round; also by status in the order of its filter, and by uses_left, with unlimited after all numbers.",
    sorts,
  ],
  count:
    "none leaves the total out. exact counts more than 10,000 codes whatever the filters are, within 3 seconds.",
  include_deleted: "true shows deleted codes too.",
  deleted: ["true shows deleted codes only.", { type: "boolean" }],
  text: "A part of a code or a name; one or two characters find codes that begin with them. For viewers a whole code, its last four characters, or a part of a name.",
  status: oneOf(...promotionStatuses),
  created: "7d, 30d or 2m: created within this time.",
  created_after: "YYYY-MM-DD, in the site's time zone: this day or later.",
  created_before: "YYYY-MM-DD, in the site's time zone: this day or earlier.",
  type: oneOf("single", "mass"),
  discount_type: oneOf("percentage", "free_drink"),
  expires: [
    "7d, 30d: within 7 or 30 days; ahead: has not expired; passed: has expired; none: has no expiration date.",
    { type: "string", enum: ["7d", "30d", "ahead", "passed", "none"] },
  ],
  starts_after: "YYYY-MM-DD: it starts on this day or later.",
  starts_before: "YYYY-MM-DD: on this day or earlier.",
  running: flag("is active and within its hours"),
  use: [
    "unused or used: never or at least once accepted; once or reusable: for one-time use or not.",
    { type: "string", enum: ["unused", "used", "once", "reusable"] },
  ],
  completed_after:
    "YYYY-MM-DD: the last use was accepted, or the code expired, on this day or later.",
  completed_before: "YYYY-MM-DD: on this day or earlier.",
  is_used: flag("was accepted at least once and not rolled back"),
  is_reusable: flag("is not for one-time use"),
  is_expired: flag("has expired"),
  is_indefinite: flag("has no expiration date"),
  mass_generation_id: "The codes of one mass generation.",
  mass_generation: "A part of the name of their mass generation.",
  machine: "A part of a machine's serial number or name.",
  group: "The number of a machine group that they are assigned to.",
  serial_number: "A part of a machine's serial number.",
  controller: "A part of a machine's name, which screens call 'Name of Controller'.",
};

const promotionPath = "/api/promotion/{promotionId}";

/** Changes of the status of a promotion, with what is answered. */
const lifecycle = [
  ["deactivate", "deactivate", "Deactivate a code", "; a second call changes nothing."],
  [
    "reactivate",
    "reactivate",
    "Reactivate a code",
    "; a second call changes nothing. Admins, or whoever deactivated it up to 10 minutes ago.",
  ],
  [
    "soft-delete",
    "delete",
    "Delete a code",
    ". A code of a mass generation is deleted with all codes of it; a second call changes nothing.",
  ],
  ["restore", "restore", "Restore a deleted code", "; a second call changes nothing. Admins only."],
] as const;

const wrongFields = async (sent: Record<string, unknown>) =>
  bodyErrors(singleFormSchema(await siteToday()), sent, "discount");

export const promotionOperations = [
  operation({
    method: "GET",
    path: "/api/promotions",
    summary: "List codes",
    scope: "read",
    isFromReplica: true,
    query: parseQuery,
    answers: {
      200: "One page of the codes; `next` is the cursor for `after`. `total` is exact up to 10,000, and for all codes, those of one status but `deleted`, and those of one mass generation that is not deleted; otherwise `total_at_least` is 10,000, unless `count` is exact.",
    },
    result: promotionListSchema,
    queryParams: promotionListParams,
    async run({ query, request, user }) {
      const list = await listPromotions(query, { isExact: true });
      const cursor = query.after === null ? "before" : "after";
      if (list.promotions.length === 0 && (await isUnknown(query[cursor]))) {
        const message = `'${cursor}' must be the id of a code`;
        return apiError(400, message, { fields: { [cursor]: message } });
      }
      const machines = await listSerialNumbers(list.promotions.map(({ id }) => id));
      const page = toApiPromotionList(list, query.page, machines, siteTimeZone(), user);
      const count = new URL(request.url).searchParams.get("count");
      if (count === "none") return page;
      const { promotions, ...rest } = page;
      return { promotions, ...(await readApiTotal(list, query, count === "exact")), ...rest };
    },
  }),
  operation({
    method: "POST",
    path: "/api/create_promotion",
    summary: "Create a single code",
    scope: "promotions",
    canBeHeld: true,
    isIdempotent: true,
    body: createPromotionBody,
    rules: wrongFields,
    answers: { 201: "The code. With an Idempotency-Key, a repeated call creates it once." },
    result: promotionSchema,
    async run({ body, options, user }) {
      const input = await parseSentTerms(singleFormSchema(noToday), body, wrongFields);
      const { promotion } = await createPromotion(input, options);
      return toAnswer(promotion, user);
    },
  }),
  operation({
    method: "GET",
    path: promotionPath,
    summary: "Read a code",
    scope: "read",
    answers: { 200: "The code." },
    result: promotionSchema,
    run: ({ param, user }) => readPromotion(param("promotionId"), user),
  }),
  operation({
    method: "PUT",
    path: promotionPath,
    summary: "Change the name or the expiration of a code",
    scope: "promotions",
    body: editBody,
    fieldNames: { promotionName: "name" },
    answers: {
      200: "The code as it is now. The name, the start, the schedule and the caps of a single code and the expiration can change; what is left out stays, also within `schedule` and `caps`.",
    },
    result: promotionSchema,
    async run({ param, body, actor, user }) {
      const { promotion, version: current } = await getPromotionDetails(param("promotionId"));
      if (body.caps !== undefined && promotion.massGenerationId !== null)
        throw invalidFields({ caps: "This code has the caps of its campaign: edit the campaign" });
      const day = promotion.expiresAt && lastDay(promotion.expiresAt, siteTimeZone());
      const { name = null, version = current, expiration_date: expirationDate = day } = body;
      const edit = { name, version, expirationDate, ...editedTerms(body, promotion) };
      await editPromotion(promotion.id, edit, { actor });
      return readPromotion(promotion.id, user);
    },
  }),
  operation({
    method: "GET",
    path: `${promotionPath}/download_qr`,
    summary: "Download the QR code of a code",
    scope: "read",
    answers: { 200: "The image of the QR code, a PNG named after the id." },
    file: "image/png",
    hasWholeCodes: true,
    run: ({ request, param }) =>
      codesResponse(request, qrImageResponse(request, param("promotionId"))),
  }),
  ...lifecycle.map(([verb, action, summary, note]) =>
    operation({
      method: "PUT",
      path: `${promotionPath}/${verb}`,
      summary,
      scope: "promotions",
      answers: { 200: `The code as it is now${note}` },
      result: promotionSchema,
      async run({ actor, param, user }) {
        const id = param("promotionId");
        await changeLifecycle({ type: "promotion", id }, action, { actor });
        return readPromotion(id, user);
      },
    }),
  ),
];

/** Adds how to read on to the message about a page number; screens have links for it. */
function parseQuery(params: URLSearchParams, reader: Reader) {
  const { query, errors } = parsePromotionApiList(params, reader);
  if (errors.page) errors.page += ". Beyond row 10,000 follow `next`.";
  return { query, errors };
}

/** Tells whether a cursor is of no code: a list of such rows would look as if it had ended. */
const isUnknown = async (cursor: string | null) =>
  cursor !== null && !(await promotionExists(cursor));

/** Counts further than the page needs only if the caller asks for it. */
async function readApiTotal(
  { total: { count, isCapped } }: PromotionList,
  query: PromotionListQuery,
  isExact: boolean,
) {
  if (!isCapped) return { total: count };
  const filters = query.filters ?? noFilters;
  const total = (await readTotal(filters)) ?? (isExact ? await countPromotions(filters) : null);
  return total === null ? { total_at_least: count } : { total };
}

async function readPromotion(id: string, reader: Reader) {
  return toAnswer(await getPromotion(id), reader);
}

async function toAnswer(promotion: Promotion, reader: Reader) {
  const machines = await listSerialNumbers([promotion.id]);
  return toApiPromotion(promotion, machines, siteTimeZone(), reader);
}
