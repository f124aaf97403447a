import { apiError } from "../http/answers.server";
import { apiRoute, operation } from "../http/api.server";
import { generationArchiveResponse } from "../http/downloads.server";

const route = apiRoute(
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
);

export const loader = route.loader;
export const action = route.action;
