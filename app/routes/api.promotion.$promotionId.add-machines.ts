import { json } from "@remix-run/node";
import { parseAddMachines, toApiMachine } from "../features/machines/machine-api";
import {
  assignMachines,
  readPromotionMachines,
} from "../features/promotions/manage-machines/assign-machines.server";
import { apiRoute, methodNotAllowed, readJson } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** POST: adds machines to a promotion (core §7); answers what is assigned now. */
export const action = apiRoute(async (args) => {
  const { actor } = await requireApiUser(args);
  if (args.request.method !== "POST") return methodNotAllowed("POST")();
  const serials = parseAddMachines(await readJson(args.request));
  const id = args.params.promotionId ?? "";
  await assignMachines(id, serials, { actor });
  const { machines } = await readPromotionMachines(id);
  return json(machines.map(toApiMachine));
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("POST")();
});
