import { json } from "@remix-run/node";
import { getMachine } from "../features/machines/machine-details.server";
import { listMachinePromotions } from "../features/promotions/manage-machines/machine-promotions.server";
import {
  parseMachinePromotionsQuery,
  toApiMachinePromotions,
} from "../features/promotions/manage-machines/machine-promotions-api";
import { apiError, apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";
import { machinesOfApiAddress } from "../http/machine-address.server";

/** The active promotions that a machine accepts (core §7), a mass generation as one of them. */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  const params = new URL(args.request.url).searchParams;
  const { query, problems } = parseMachinePromotionsQuery(params);
  const [problem] = Object.values(problems);
  if (problem) return apiError(400, problem, { fields: problems });
  const machine = await getMachine(...machinesOfApiAddress(args.request));
  return json(toApiMachinePromotions(await listMachinePromotions(machine.id, query), query.page));
});

export const action = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("GET", "HEAD")();
});
