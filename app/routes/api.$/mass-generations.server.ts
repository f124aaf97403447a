import { environment } from "../../env.server";
import { createMassGeneration } from "../../features/mass-generations/create-mass-generation.server";
import {
  generateCodesBody,
  toNewMassGenerationOfApi,
} from "../../features/mass-generations/mass-generation-api";
import { deleteMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import { apiError } from "../../http/answers.server";
import { operation } from "../../http/api.server";
import { generationArchiveResponse } from "../../http/downloads.server";

export const massGenerationOperations = [
  operation({
    method: "POST",
    path: "/api/generate_codes",
    scope: "promotions",
    body: generateCodesBody,
    answers: {
      200: "The archive as ZIP; Content-Location says where to continue a broken download. With an Idempotency-Key, a repeated call generates once.",
    },
    async run({ actor, body, request }) {
      const bounds = { today: await siteToday(), maxCodes: environment().maxCodes };
      const { id } = await createMassGeneration(toNewMassGenerationOfApi(body, bounds), {
        actor,
        idempotencyKey: request.headers.get("Idempotency-Key"),
        signal: request.signal,
      });
      const archive = await generationArchiveResponse(request, id);
      archive.headers.set("Content-Location", `/api/download_archive/${id}`);
      return archive;
    },
  }),
  operation({
    method: "GET",
    path: "/api/download_archive/{massGenerationId}",
    scope: "read",
    answers: { 200: "mass_generation_{id}.zip; Range continues a broken download." },
    async run({ request, param }) {
      const id = param("massGenerationId");
      if (!/^\d+$/.test(id)) return apiError(400, "The id of a mass generation is a number.");
      return generationArchiveResponse(request, id);
    },
  }),
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
];
