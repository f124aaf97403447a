import { toApiMachine } from "../features/machines/machine-api";
import { changeAssignments, removeAll } from "../features/assignments/assignments.server";
import {
  promotionOwner,
  readPromotionMachines,
} from "../features/promotions/manage-machines/assign-machines.server";
import { apiRoute, operation } from "../http/api.server";

const path = "/api/promotion/{promotionId}/machines";
const answers = { 200: "Machines that the promotion is assigned to; deleted ones are marked." };

const route = apiRoute(
  operation({
    method: "GET",
    path,
    scope: "read",
    answers,
    async run({ param }) {
      const { machines } = await readPromotionMachines(param("promotionId"));
      return machines.map(toApiMachine);
    },
  }),
  operation({
    method: "DELETE",
    path,
    scope: "promotions",
    answers,
    async run({ actor, param }) {
      await changeAssignments(promotionOwner(param("promotionId")), removeAll, { actor });
      const { machines } = await readPromotionMachines(param("promotionId"));
      return machines.map(toApiMachine);
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
