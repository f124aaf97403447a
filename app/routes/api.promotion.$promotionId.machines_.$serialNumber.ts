import { json } from "@remix-run/node";
import { toApiMachine } from "../features/machines/machine-api";
import {
  readPromotionMachines,
  unassignMachine,
} from "../features/promotions/manage-machines/assign-machines.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** DELETE: takes one machine from a promotion (core §7); answers what is assigned now. */
export const action = apiRoute(async (args) => {
  const { actor } = await requireApiUser(args);
  if (args.request.method !== "DELETE") return methodNotAllowed("DELETE")();
  const { promotionId: id = "", serialNumber = "" } = args.params;
  await unassignMachine(id, serialNumber, { actor });
  const { machines } = await readPromotionMachines(id);
  return json(machines.map(toApiMachine));
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("DELETE")();
});
