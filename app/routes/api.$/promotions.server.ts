import { siteTimeZone } from "../../db/site.server";
import {
  addTargets,
  changeAssignments,
  removeAll,
  removeTarget,
  type AssignmentChange,
} from "../../features/assignments/assignments.server";
import { addMachinesBody, toApiMachine } from "../../features/machines/machines.server";
import { createPromotion } from "../../features/promotions/form/create-promotion.server";
import {
  deactivatePromotion,
  deletePromotion,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { listPromotions } from "../../features/promotions/list/list-promotions.server";
import { parsePromotionApiList } from "../../features/promotions/list/promotion-filters";
import {
  createPromotionBody,
  toApiPromotion,
  toApiPromotionList,
  toNewPromotionOfApi,
} from "../../features/promotions/promotion-api";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import {
  getPromotion,
  promotionOwner,
  readPromotionMachines,
} from "../../features/promotions/promotions.server";
import { operation, type ApiCaller } from "../../http/api.server";
import { qrImageResponse } from "../../http/downloads.server";

const machinesPath = "/api/promotion/{promotionId}/machines";
const machinesAnswers = {
  200: "Machines that the promotion is assigned to; deleted ones are marked.",
};

export const promotionOperations = [
  operation({
    method: "GET",
    path: "/api/promotions",
    scope: "read",
    query: parsePromotionApiList,
    answers: { 200: "One page of the promotions; `next` is the cursor for `after`." },
    run: async ({ query }) =>
      toApiPromotionList(await listPromotions(query), query.page, siteTimeZone()),
  }),
  operation({
    method: "POST",
    path: "/api/create_promotion",
    scope: "promotions",
    body: createPromotionBody,
    answers: { 201: "The promotion. With an Idempotency-Key, a repeated call creates it once." },
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
    run: ({ request, param }) => qrImageResponse(request, param("promotionId")),
  }),
  operation({
    method: "PUT",
    path: "/api/promotion/{promotionId}/deactivate",
    scope: "promotions",
    answers: { 200: "The promotion as it is now; a second call changes nothing." },
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
    run: ({ param }) => readMachines(param("promotionId")),
  }),
  operation({
    method: "DELETE",
    path: machinesPath,
    scope: "promotions",
    answers: machinesAnswers,
    run: ({ actor, param }) => assign(param("promotionId"), removeAll, actor),
  }),
  operation({
    method: "DELETE",
    path: `${machinesPath}/{serialNumber}`,
    scope: "promotions",
    answers: machinesAnswers,
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
    scope: "promotions",
    body: addMachinesBody,
    answers: machinesAnswers,
    run: ({ actor, param, body }) =>
      assign(
        param("promotionId"),
        addTargets({ machines: body.machines.map(({ serialNumber }) => serialNumber) }),
        actor,
      ),
  }),
];

async function readPromotion(id: string) {
  return toApiPromotion(await getPromotion(id), siteTimeZone());
}

async function readMachines(promotionId: string) {
  const { machines } = await readPromotionMachines(promotionId);
  return machines.map(toApiMachine);
}

/** Changes what a promotion is assigned to, and returns its machines after that. */
async function assign(promotionId: string, change: AssignmentChange, actor: ApiCaller["actor"]) {
  await changeAssignments(promotionOwner(promotionId), change, { actor });
  return readMachines(promotionId);
}
