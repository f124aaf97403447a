import { toApiMachine } from "../features/machines/machine-api";
import { changeAssignments, removeTarget } from "../features/assignments/assignments.server";
import {
  promotionOwner,
  readPromotionMachines,
} from "../features/promotions/manage-machines/assign-machines.server";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "DELETE",
    path: "/api/promotion/{promotionId}/machines/{serialNumber}",
    scope: "promotions",
    answers: { 200: "Machines that the promotion is assigned to now." },
    async run({ actor, param }) {
      const change = removeTarget({ kind: "machine", id: param("serialNumber") });
      await changeAssignments(promotionOwner(param("promotionId")), change, { actor });
      const { machines } = await readPromotionMachines(param("promotionId"));
      return machines.map(toApiMachine);
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
