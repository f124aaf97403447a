import * as z from "zod/mini";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import {
  addTargets,
  changeAssignments,
  removeAll,
  removeTarget,
  type AssignmentChange,
} from "../../features/assignments/assignments.server";
import {
  addMachinesBody,
  getMachine,
  listAllMachines,
  toApiMachine,
} from "../../features/machines/machines.server";
import { createMassGeneration } from "../../features/mass-generations/create-mass-generation.server";
import {
  generateCodesBody,
  toNewMassGenerationOfApi,
} from "../../features/mass-generations/mass-generation-api";
import { createPromotion } from "../../features/promotions/form/create-promotion.server";
import {
  deactivatePromotion,
  deleteMassGeneration,
  deletePromotion,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import {
  countPromotions,
  listPromotions,
} from "../../features/promotions/list/list-promotions.server";
import { parsePromotionApiList } from "../../features/promotions/list/promotion-filters";
import {
  listMachinePromotions,
  parseMachinePromotionsQuery,
  toApiMachinePromotions,
} from "../../features/promotions/manage-machines/machine-promotions.server";
import {
  createPromotionBody,
  toApiPromotion,
  toApiPromotionList,
  toNewPromotionOfApi,
} from "../../features/promotions/promotion-api";
import { promotionStatuses } from "../../features/promotions/promotion";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import {
  getPromotion,
  promotionOwner,
  listPromotionMachines,
} from "../../features/promotions/promotions.server";
import { newestTransactions } from "../../features/transactions/list-transactions.server";
import { toApiTransaction } from "../../features/transactions/transaction";
import { parseTransactionApiList } from "../../features/transactions/transaction-filters";
import { apiError } from "../answers.server";
import { operation, taggedJson, type ApiCaller } from "../api.server";
import { generationArchiveResponse, qrImageResponse } from "../downloads.server";
import { machinesOfApiAddress } from "../machine-routes.server";
import {
  deletedGenerationSchema,
  machinePromotionsSchema,
  machineSchema,
  promotionListSchema,
  promotionSchema,
  transactionSchema,
} from "./schemas";

const oneOf = (...names: string[]): [string, object] => [
  `${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`,
  { type: "string", enum: names },
];
const sorts = {
  type: "string",
  pattern: "^-?(name|created|type|discount|expiration|used)$",
};

const promotionListParams: Record<string, string | [string, object]> = {
  page: "From 1, up to row 10,000; beyond it follow `next` with `after`.",
  per_page: "At most 100.",
  after: "A cursor: the rows after this id.",
  before: "A cursor: the rows before this id.",
  sort: ["name or -name; also created, type, discount, expiration, used.", sorts],
  count: "none leaves the total out.",
  include_deleted: "true shows deleted promotions too.",
  text: "A part of a code or a name.",
  status: oneOf(...promotionStatuses),
  created_after: "YYYY-MM-DD, in the site's time zone.",
  created_before: "YYYY-MM-DD, in the site's time zone.",
  type: oneOf("single", "mass"),
  mass_generation_id: "The codes of one mass generation.",
  serial_number: "A part of a machine's serial number.",
  controller: "A part of a machine's name.",
};

const transactionListParams: Record<string, string | [string, object]> = {
  limit: "At most 100.",
  before: "The id of a transaction: older ones follow.",
  created: "7d, 30d or 2m.",
  created_after: "YYYY-MM-DD, in the site's time zone.",
  created_before: "YYYY-MM-DD, in the site's time zone.",
  machine: "A whole serial number.",
  promotion: [
    "A whole code, or at least 3 characters of a name.",
    { type: "string", minLength: 3 },
  ],
  mass_generation_id: "Transactions of the codes of one mass generation.",
  status: oneOf("applied", "rolled_back"),
  type: oneOf("percentage", "free_drink"),
  integration: "The id of an integration.",
};

const machinesPath = "/api/promotion/{promotionId}/machines";
const machinesAnswers = {
  200: "Machines that the promotion is assigned to, with those of its groups; deleted ones are marked.",
};

/** Calls about promotions, machines and transactions. */
export const promotionOperations = [
  operation({
    method: "GET",
    path: "/api/promotions",
    scope: "read",
    query: parsePromotionApiList,
    answers: { 200: "One page of the promotions; `next` is the cursor for `after`." },
    result: promotionListSchema,
    queryParams: promotionListParams,
    async run({ query, request }) {
      const list = await listPromotions(query);
      const page = toApiPromotionList(list, query.page, siteTimeZone());
      if (new URL(request.url).searchParams.get("count") === "none") return page;
      const { promotions, ...rest } = page;
      const { count, isCapped } = list.total;
      const total = isCapped ? await countPromotions(query) : count;
      return { promotions, total, ...rest };
    },
  }),
  operation({
    method: "POST",
    path: "/api/create_promotion",
    scope: "promotions",
    body: createPromotionBody,
    answers: { 201: "The promotion. With an Idempotency-Key, a repeated call creates it once." },
    result: promotionSchema,
    async run({ actor, body, request }) {
      const { promotion } = await createPromotion(toNewPromotionOfApi(body, await siteToday()), {
        actor,
        idempotencyKey: request.headers.get("Idempotency-Key"),
      });
      return toApiPromotion(promotion, siteTimeZone());
    },
  }),
  operation({
    method: "GET",
    path: "/api/promotion/{promotionId}/download_qr",
    scope: "read",
    answers: { 200: "The QR image, a PNG named after the id." },
    file: "image/png",
    run: ({ request, param }) => qrImageResponse(request, param("promotionId")),
  }),
  operation({
    method: "PUT",
    path: "/api/promotion/{promotionId}/deactivate",
    scope: "promotions",
    answers: { 200: "The promotion as it is now; a second call changes nothing." },
    result: promotionSchema,
    async run({ actor, param }) {
      await deactivatePromotion(param("promotionId"), { actor });
      return readPromotion(param("promotionId"));
    },
  }),
  operation({
    method: "PUT",
    path: "/api/promotion/{promotionId}/soft-delete",
    scope: "promotions",
    answers: {
      200: "The promotion as it is now. A code of a mass generation deletes the whole generation; a second call changes nothing.",
    },
    result: promotionSchema,
    async run({ actor, param }) {
      await deletePromotion(param("promotionId"), { actor });
      return readPromotion(param("promotionId"));
    },
  }),
  operation({
    method: "GET",
    path: machinesPath,
    scope: "read",
    answers: machinesAnswers,
    result: z.array(machineSchema),
    run: ({ param }) => readMachines(param("promotionId")),
  }),
  operation({
    method: "DELETE",
    path: machinesPath,
    scope: "machines",
    answers: machinesAnswers,
    result: z.array(machineSchema),
    run: ({ actor, param }) => assign(param("promotionId"), removeAll, actor),
  }),
  operation({
    method: "DELETE",
    path: `${machinesPath}/{serialNumber}`,
    scope: "machines",
    answers: machinesAnswers,
    result: z.array(machineSchema),
    run: ({ actor, param }) =>
      assign(
        param("promotionId"),
        removeTarget({ kind: "machine", id: param("serialNumber") }),
        actor,
      ),
  }),
  operation({
    method: "POST",
    path: "/api/promotion/{promotionId}/add-machines",
    scope: "machines",
    body: addMachinesBody,
    answers: machinesAnswers,
    result: z.array(machineSchema),
    run: ({ actor, param, body }) =>
      assign(
        param("promotionId"),
        addTargets({ machines: body.machines.map(({ serialNumber }) => serialNumber) }),
        actor,
      ),
  }),
  operation({
    method: "POST",
    path: "/api/generate_codes",
    scope: "promotions",
    body: generateCodesBody,
    answers: {
      200: "The archive as ZIP; Content-Location says where to continue a broken download. With an Idempotency-Key, a repeated call generates once.",
    },
    file: "application/zip",
    async run({ actor, body, request }) {
      const bounds = { today: await siteToday(), maxCodes: environment().maxCodes };
      const { id } = await createMassGeneration(toNewMassGenerationOfApi(body, bounds), {
        actor,
        idempotencyKey: request.headers.get("Idempotency-Key"),
        signal: request.signal,
      });
      const archive = await generationArchiveResponse({ request, userId: actor.id }, id);
      archive.headers.set("Content-Location", `/api/download_archive/${id}`);
      return archive;
    },
  }),
  operation({
    method: "GET",
    path: "/api/download_archive/{massGenerationId}",
    scope: "read",
    answers: { 200: "mass_generation_{id}.zip; Range continues a broken download." },
    file: "application/zip",
    async run({ actor, request, param }) {
      const id = param("massGenerationId");
      if (!/^\d+$/.test(id)) return apiError(400, "The id of a mass generation is a number.");
      return generationArchiveResponse({ request, userId: actor.id }, id);
    },
  }),
  operation({
    method: "PUT",
    path: "/api/mass_generation/{massGenerationId}/soft-delete",
    scope: "promotions",
    answers: { 200: "How many codes were deleted with it; a second call changes nothing." },
    result: deletedGenerationSchema,
    async run({ actor, param }) {
      const id = param("massGenerationId");
      const { covered } = await deleteMassGeneration(id, { actor });
      return { id: Number(id), is_deleted: true, deleted_codes: covered };
    },
  }),
  operation({
    method: "GET",
    path: "/api/machines-list",
    scope: "read",
    answers: { 200: "Every machine that the platform lists, without the deleted ones." },
    result: z.array(machineSchema),
    run: async () => (await listAllMachines()).map(toApiMachine),
  }),
  operation({
    method: "GET",
    path: "/api/machine/{serialNumber}/promotions",
    scope: "read",
    query: parseMachinePromotionsQuery,
    answers: { 200: "Active promotions that the machine accepts, a mass generation as one." },
    result: machinePromotionsSchema,
    queryParams: { page: "From 1, up to row 10,000.", per_page: "At most 100." },
    async run({ request, query }) {
      const machine = await getMachine(...machinesOfApiAddress(request));
      return toApiMachinePromotions(await listMachinePromotions(machine.id, query), query.page);
    },
  }),
  operation({
    method: "GET",
    path: "/api/transactions",
    scope: "read",
    query: parseTransactionApiList,
    answers: {
      200: "Matching transactions, newest first. The header `Link` has the address of those that follow, also after fewer than `limit`.",
    },
    result: z.array(transactionSchema),
    queryParams: transactionListParams,
    async run({ query, request }) {
      const found = await newestTransactions(query);
      if (!found) {
        const before = "'before' must be the id of a transaction";
        return apiError(400, before, { fields: { before } });
      }
      const { transactions, next } = found;
      const url = new URL(request.url);
      url.searchParams.set("before", next ?? "");
      const headers: Record<string, string> =
        next === null ? {} : { Link: `<${url.pathname}${url.search}>; rel="next"` };
      return taggedJson(request, transactions.map(toApiTransaction), headers);
    },
  }),
];

async function readPromotion(id: string) {
  return toApiPromotion(await getPromotion(id), siteTimeZone());
}

async function readMachines(promotionId: string) {
  return (await listPromotionMachines(promotionId)).map(toApiMachine);
}

/** Changes what a promotion is assigned to, and returns its machines after that. */
async function assign(promotionId: string, change: AssignmentChange, actor: ApiCaller["actor"]) {
  await changeAssignments(promotionOwner(promotionId), change, { actor });
  return readMachines(promotionId);
}
