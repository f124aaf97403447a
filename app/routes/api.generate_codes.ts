import { environment } from "../env.server";
import { createMassGeneration } from "../features/mass-generations/create-mass-generation.server";
import { parseGenerateCodes } from "../features/mass-generations/mass-generation-api";
import { siteToday } from "../features/promotions/site-day.server";
import { apiRoute, methodNotAllowed, readJson } from "../http/answers.server";
import { generationArchiveResponse } from "../http/generation-archive.server";
import { requireApiUser } from "../http/guards.server";

/**
 * core §7: answers with the archive of what was generated. `Content-Location` says where the rest of
 * a broken download is to be had; with an `Idempotency-Key` a repeated call generates once (rulings 3.7).
 */
export const action = apiRoute(async ({ request, ...args }) => {
  const { actor } = await requireApiUser({ request, ...args });
  if (request.method !== "POST") return methodNotAllowed("POST")();
  const { maxCodes } = environment();
  const input = parseGenerateCodes(await readJson(request), { today: await siteToday(), maxCodes });
  const { id } = await createMassGeneration(input, {
    actor,
    idempotencyKey: request.headers.get("Idempotency-Key"),
    signal: request.signal,
  });
  const archive = await generationArchiveResponse(request, id);
  archive.headers.set("Content-Location", `/api/download_archive/${id}`);
  return archive;
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("POST")();
});
