import { getMachine, listAllMachines, toApiMachine } from "../../features/machines/machines.server";
import {
  listMachinePromotions,
  parseMachinePromotionsQuery,
  toApiMachinePromotions,
} from "../../features/promotions/manage-machines/machine-promotions.server";
import { operation } from "../../http/api.server";
import { machinesOfApiAddress } from "../../http/machine-routes.server";

export const machineOperations = [
  operation({
    method: "GET",
    path: "/api/machines-list",
    scope: "read",
    answers: { 200: "Every machine that the platform lists, without the deleted ones." },
    run: async () => (await listAllMachines()).map(toApiMachine),
  }),
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
];
