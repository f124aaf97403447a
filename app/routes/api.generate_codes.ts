import { environment } from "../env.server";
import { createMassGeneration } from "../features/mass-generations/create-mass-generation.server";
import {
  generateCodesBody,
  toNewMassGenerationOfApi,
} from "../features/mass-generations/mass-generation-api";
import { siteToday } from "../features/promotions/site-day.server";
import { apiRoute, operation } from "../http/api.server";
import { generationArchiveResponse } from "../http/downloads.server";

const route = apiRoute(
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
);

export const loader = route.loader;
export const action = route.action;
