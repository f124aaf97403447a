import { listAllMachines } from "../features/machines/list-machines.server";
import { toApiMachine } from "../features/machines/machine-api";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "GET",
    path: "/api/machines-list",
    scope: "read",
    answers: { 200: "Every machine that the platform lists, without the deleted ones." },
    run: async () => (await listAllMachines()).map(toApiMachine),
  }),
);

export const loader = route.loader;
export const action = route.action;
