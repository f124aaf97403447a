import { json } from "@remix-run/node";
import { listAllMachines } from "../features/machines/list-machines.server";
import { toApiMachine } from "../features/machines/machine-api";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** Every machine that the platform lists (core §7): an array, without the deleted ones (core §4). */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return json((await listAllMachines()).map(toApiMachine));
});

export const action = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("GET", "HEAD")();
});
