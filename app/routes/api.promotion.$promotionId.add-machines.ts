import { addMachinesBody, toApiMachine } from "../features/machines/machine-api";
import { addTargets, changeAssignments } from "../features/assignments/assignments.server";
import {
  promotionOwner,
  readPromotionMachines,
} from "../features/promotions/manage-machines/assign-machines.server";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "POST",
    path: "/api/promotion/{promotionId}/add-machines",
    scope: "promotions",
    body: addMachinesBody,
    answers: { 200: "Machines that the promotion is assigned to now." },
    async run({ actor, param, body }) {
      const machines = body.machines.map(({ serialNumber }) => serialNumber);
      const change = addTargets({ machines });
      await changeAssignments(promotionOwner(param("promotionId")), change, { actor });
      const assigned = await readPromotionMachines(param("promotionId"));
      return assigned.machines.map(toApiMachine);
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
