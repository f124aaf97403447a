import { json } from "@remix-run/node";
import { toApiMachine } from "../features/machines/machine-api";
import {
  readPromotionMachines,
  unassignAllMachines,
} from "../features/promotions/manage-machines/assign-machines.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** The machines that a promotion is assigned to (core §7): an array, deleted ones marked. */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  const { machines } = await readPromotionMachines(args.params.promotionId ?? "");
  return json(machines.map(toApiMachine));
});

/** DELETE: unassigns all; answers what is assigned now. */
export const action = apiRoute(async (args) => {
  const { actor } = await requireApiUser(args);
  if (args.request.method !== "DELETE") return methodNotAllowed("GET", "HEAD", "DELETE")();
  const id = args.params.promotionId ?? "";
  await unassignAllMachines(id, { actor });
  const { machines } = await readPromotionMachines(id);
  return json(machines.map(toApiMachine));
});
