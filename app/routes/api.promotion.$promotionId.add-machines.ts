import { addMachinesBody, toApiMachine } from "../features/machines/machine-api";
import {
  assignMachines,
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
      const serialNumbers = body.machines.map(({ serialNumber }) => serialNumber);
      await assignMachines(param("promotionId"), serialNumbers, { actor });
      const { machines } = await readPromotionMachines(param("promotionId"));
      return machines.map(toApiMachine);
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
