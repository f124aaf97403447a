import { getMachine } from "../features/machines/machine-details.server";
import { listMachinePromotions } from "../features/promotions/manage-machines/machine-promotions.server";
import {
  parseMachinePromotionsQuery,
  toApiMachinePromotions,
} from "../features/promotions/manage-machines/machine-promotions-api";
import { apiRoute, operation } from "../http/api.server";
import { machinesOfApiAddress } from "../http/machine-address.server";

const route = apiRoute(
  operation({
    method: "GET",
    path: "/api/machine/{serialNumber}/promotions",
    scope: "read",
    query: parseMachinePromotionsQuery,
    answers: { 200: "Active promotions that the machine accepts, a mass generation as one." },
    async run({ request, query }) {
      const machine = await getMachine(...machinesOfApiAddress(request));
      return toApiMachinePromotions(await listMachinePromotions(machine.id, query), query.page);
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
