import { json } from "@remix-run/node";
import { deleteMassGeneration } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** core §7; a second call changes nothing. */
export const action = apiRoute(async (args) => {
  const { actor } = await requireApiUser(args);
  if (args.request.method !== "PUT") return methodNotAllowed("PUT")();
  const id = args.params.massGenerationId ?? "";
  const { covered } = await deleteMassGeneration(id, {
    actor,
  });
  return json({ id: Number(id), is_deleted: true, deleted_codes: covered });
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("PUT")();
});
