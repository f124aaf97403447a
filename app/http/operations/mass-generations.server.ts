import { siteTimeZone, siteToday } from "../../db/site.server";
import { settings } from "../../features/settings/settings.server";
import { addCodes } from "../../features/mass-generations/add-codes.server";
import { countAdded } from "../../features/mass-generations/added-codes";
import { createMassGeneration } from "../../features/mass-generations/create-mass-generation.server";
import { editGeneration } from "../../features/mass-generations/edit-mass-generation.server";
import { getGenerationDetails } from "../../features/mass-generations/generation-details.server";
import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import {
  addCodesBody,
  generateCodesBody,
} from "../../features/mass-generations/mass-generation-api";
import { massFormSchema, noBounds } from "../../features/mass-generations/mass-generation-forms";
import { bodyErrors, parseSentTerms } from "../../features/promotions/promotion-api";
import { changeLifecycle } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { answerFields } from "../../features/promotions/promotion-fields";
import { type Errors, rejectUnknown } from "../../lists/parse-list";
import { apiError } from "../answers.server";
import { operation } from "../api.server";
import { codesResponse, generationArchiveResponse } from "../downloads.server";
import { takeDownload } from "../file-response.server";
import { editBody, editedTerms } from "./edit-body";
import { deletedGenerationSchema, massGenerationSchema } from "./schemas";

const generationPath = "/api/mass_generation/{massGenerationId}";

/** Says of a call that it may be answered before all codes have changed. */
const codesFollow = "The codes of a large mass generation follow within minutes.";

/** Changes of the status of a mass generation, with what is added to the answer's description. */
const lifecycle = [
  ["deactivate", "Deactivate a mass generation", ""],
  [
    "reactivate",
    "Reactivate a mass generation",
    ` Admins, or whoever deactivated it up to 10 minutes ago. ${codesFollow}`,
  ],
  ["restore", "Restore a deleted mass generation", ` Admins only. ${codesFollow}`],
] as const;

async function generationBounds() {
  return { today: await siteToday(), maxCodes: settings().maxCodes };
}

const wrongFields = async (sent: Record<string, unknown>) =>
  bodyErrors(massFormSchema(await generationBounds()), sent, "discount_value");

export const generationOperations = [
  operation({
    method: "POST",
    path: "/api/generate_codes",
    summary: "Create a mass generation and download its archive",
    scope: "promotions",
    canBeHeld: true,
    isIdempotent: true,
    answerHeaders: ["Content-Location"],
    body: generateCodesBody,
    rules: wrongFields,
    answers: {
      200: "The archive as ZIP; Content-Location says where to continue a broken download. With an Idempotency-Key, a repeated call generates once.",
    },
    file: "application/zip",
    async run({ actor, body, request, options }) {
      const { signal } = request;
      const input = await parseSentTerms(massFormSchema(noBounds), body, wrongFields);
      // Without a place for the answer nothing is made: a client repeats a call that was refused with 429.
      const place = takeDownload(actor.id);
      try {
        const { id } = await createMassGeneration(input, { ...options, signal });
        const file = { request, userId: actor.id, place };
        const archive = await codesResponse(request, generationArchiveResponse(file, id));
        archive.headers.set("Content-Location", `/api/download_archive/${id}`);
        return archive;
      } catch (error) {
        place();
        throw error;
      }
    },
  }),
  operation({
    method: "GET",
    path: "/api/download_archive/{massGenerationId}",
    summary: "Download the archive of a mass generation",
    scope: "read",
    answers: { 200: "mass_generation_{id}.zip; Range continues a broken download." },
    file: "application/zip",
    query: parseArchiveQuery,
    queryParams: { added: "Id of codes that were added together, which are in the archive alone." },
    hasWholeCodes: true,
    async run({ actor, request, param }) {
      const id = param("massGenerationId");
      if (!/^\d+$/.test(id)) return apiError(400, "The id of a mass generation is a number.");
      return codesResponse(request, generationArchiveResponse({ request, userId: actor.id }, id));
    },
  }),
  operation({
    method: "GET",
    path: generationPath,
    summary: "Read a mass generation",
    scope: "read",
    answers: { 200: "The mass generation, with the number of its codes in each status." },
    result: massGenerationSchema,
    run: ({ param }) => readGeneration(param("massGenerationId")),
  }),
  operation({
    method: "PUT",
    path: generationPath,
    summary: "Change the name or the expiration of a mass generation",
    scope: "promotions",
    body: editBody,
    answers: {
      200: `The mass generation as it is now; what is left out stays, also within \`schedule\` and \`caps\`. An expiration date can only be moved to a later day: it can't be removed, and a campaign without one can't be given one. ${codesFollow}`,
    },
    result: massGenerationSchema,
    async run({ param, body, actor }) {
      const generation = await getMassGeneration(param("massGenerationId"));
      const { name = null, version: seen = generation.version } = body;
      const { expiration_date: expirationDate } = body;
      const edit = { name, version: seen, expirationDate, ...editedTerms(body, generation) };
      await editGeneration(generation.id, edit, { actor, idempotencyKey: null });
      return readGeneration(generation.id);
    },
  }),
  operation({
    method: "POST",
    path: `${generationPath}/add-codes`,
    summary: "Add codes to a mass generation",
    scope: "promotions",
    canBeHeld: true,
    isIdempotent: true,
    body: addCodesBody,
    answers: {
      200: "The mass generation as it is now. The codes have its terms, machines and groups; with an Idempotency-Key, a repeated call adds once.",
    },
    result: massGenerationSchema,
    async run({ param, body, request, options }) {
      const { signal } = request;
      const id = param("massGenerationId");
      return readGeneration((await addCodes(id, body.num_codes, { ...options, signal })).id);
    },
  }),
  ...lifecycle.map(([action, summary, note]) =>
    operation({
      method: "PUT",
      path: `${generationPath}/${action}`,
      summary,
      scope: "promotions",
      answers: {
        200: `The mass generation as it is now; a second call changes nothing.${note}`,
      },
      result: massGenerationSchema,
      async run({ param, actor }) {
        const id = param("massGenerationId");
        await changeLifecycle({ type: "mass_generation", id }, action, { actor });
        return readGeneration(id);
      },
    }),
  ),
  operation({
    method: "PUT",
    path: `${generationPath}/soft-delete`,
    summary: "Delete a mass generation",
    scope: "promotions",
    answers: {
      200: `How many codes are deleted with it; a second call changes nothing. ${codesFollow}`,
    },
    result: deletedGenerationSchema,
    async run({ actor, param }) {
      const id = param("massGenerationId");
      const { covered } = await changeLifecycle({ type: "mass_generation", id }, "delete", {
        actor,
      });
      return { id: Number(id), is_deleted: true, deleted_codes: covered };
    },
  }),
];

/** Rejects what it does not know: with a mistyped `added` it would answer all codes. */
function parseArchiveQuery(params: URLSearchParams) {
  const errors: Errors = {};
  rejectUnknown(params, ["added"], errors);
  return { query: params.get("added"), errors };
}

async function readGeneration(id: string) {
  const { generation, byStatus, added } = await getGenerationDetails(id);
  return {
    id: Number(generation.id),
    num_codes: generation.numCodes,
    ...answerFields(generation, siteTimeZone()),
    creation_date: generation.createdAt.toISOString(),
    is_active: generation.isActive,
    is_deleted: generation.isDeleted,
    version: generation.version,
    added: added.map((codes) => ({
      id: Number(codes.id),
      num_codes: countAdded(codes),
      first_number: codes.from,
      creation_date: codes.createdAt.toISOString(),
    })),
    codes_by_status: Object.fromEntries(byStatus.map(({ status, codes }) => [status, codes])),
  };
}
