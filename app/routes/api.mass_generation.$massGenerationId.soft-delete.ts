import { deleteMassGeneration } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "PUT",
    path: "/api/mass_generation/{massGenerationId}/soft-delete",
    scope: "promotions",
    answers: { 200: "How many codes were deleted with it; a second call changes nothing." },
    async run({ actor, param }) {
      const id = param("massGenerationId");
      const { covered } = await deleteMassGeneration(id, { actor });
      return { id: Number(id), is_deleted: true, deleted_codes: covered };
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
