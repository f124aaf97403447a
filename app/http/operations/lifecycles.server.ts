import * as z from "zod/mini";
import { siteTimeZone } from "../../db/site.server";
import { invalidFields } from "../../errors";
import {
  addTargets,
  changeAssignments,
  removeTarget,
} from "../../features/assignments/assignments.server";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import { toApiMachine } from "../../features/machines/machines.server";
import { editGeneration } from "../../features/mass-generations/edit-mass-generation.server";
import { getGenerationDetails } from "../../features/mass-generations/generation-details.server";
import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import { lastDay, parseApiDate, toApiDate } from "../../features/promotions/expiry-date";
import { editPromotion } from "../../features/promotions/form/edit-promotion.server";
import {
  changeLifecycle,
  reactivatePromotion,
  restoreMassGeneration,
  restorePromotion,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { toApiPromotion } from "../../features/promotions/promotion-api";
import {
  getPromotion,
  getPromotionDetails,
  listPromotionMachines,
  promotionOwner,
} from "../../features/promotions/promotions.server";
import { nameError } from "../../forms/storable-text";
import { operation } from "../api.server";
import { groupSchema, machineSchema, massGenerationSchema, promotionSchema } from "./schemas";

const editBody = {
  schema: z.strictObject({
    name: z.optional(z.string()),
    expiration_date: z.optional(z.nullable(z.string())),
    version: z.optional(z.int()),
  }),
  messages: {
    name: "Name must be text",
    expiration_date: "Invalid date",
    version: "version must be a whole number",
  },
};

/** @throws DomainError invalid */
function readEdit({ name, expiration_date }: z.infer<typeof editBody.schema>) {
  const day = typeof expiration_date === "string" ? parseApiDate(expiration_date) : null;
  if (typeof expiration_date === "string" && day === null)
    throw invalidFields({ expiration_date: "Invalid date" });
  const error = name === undefined ? null : nameError(name.trim());
  if (error) throw invalidFields({ name: error });
  return { name: name?.trim() ?? null, day };
}

async function readPromotion(id: string) {
  return toApiPromotion(await getPromotion(id), siteTimeZone());
}

async function readGeneration(id: string) {
  const { generation, byStatus } = await getGenerationDetails(id);
  const { expiresAt } = generation;
  return {
    id: Number(generation.id),
    name: generation.name,
    num_codes: generation.numCodes,
    discount_type: generation.discountType,
    discount_value: generation.discountValue,
    creation_date: generation.createdAt.toISOString(),
    expiration_date: expiresAt && toApiDate(lastDay(expiresAt, siteTimeZone())),
    is_single_use: generation.isSingleUse,
    is_renewable: generation.isRenewable,
    is_active: generation.isActive,
    is_deleted: generation.isDeleted,
    version: generation.version,
    codes_by_status: Object.fromEntries(byStatus.map(({ status, codes }) => [status, codes])),
  };
}

const changed = "as it is now; a second call changes nothing.";
const promotionPath = "/api/promotion/{promotionId}";
const generationPath = "/api/mass_generation/{massGenerationId}";

/** Calls about one promotion or one mass generation, beyond those of the specification's list. */
export const lifecycleOperations = [
  operation({
    method: "GET",
    path: promotionPath,
    scope: "read",
    answers: { 200: "The promotion." },
    result: promotionSchema,
    run: ({ param }) => readPromotion(param("promotionId")),
  }),
  operation({
    method: "PUT",
    path: promotionPath,
    scope: "promotions",
    body: editBody,
    answers: {
      200: "The promotion as it is now. The name of a single promotion and the expiration can change; what is left out stays.",
    },
    result: promotionSchema,
    async run({ param, body, actor }) {
      const { promotion, version } = await getPromotionDetails(param("promotionId"));
      const { name, day } = readEdit(body);
      const current = promotion.expiresAt && lastDay(promotion.expiresAt, siteTimeZone());
      const expirationDate = body.expiration_date === undefined ? current : day;
      const edit = { name, expirationDate };
      await editPromotion(promotion.id, edit, body.version ?? version, { actor });
      return readPromotion(promotion.id);
    },
  }),
  operation({
    method: "PUT",
    path: `${promotionPath}/reactivate`,
    scope: "promotions",
    answers: { 200: `The promotion ${changed}` },
    result: promotionSchema,
    async run({ param, actor }) {
      await reactivatePromotion(param("promotionId"), { actor });
      return readPromotion(param("promotionId"));
    },
  }),
  operation({
    method: "PUT",
    path: `${promotionPath}/restore`,
    scope: "promotions",
    answers: { 200: `The promotion ${changed} Admins only.` },
    result: promotionSchema,
    async run({ param, actor }) {
      await restorePromotion(param("promotionId"), { actor });
      return readPromotion(param("promotionId"));
    },
  }),
  operation({
    method: "POST",
    path: `${promotionPath}/add-groups`,
    scope: "machines",
    body: {
      schema: z.strictObject({ groups: z.array(z.union([z.string(), z.int()])) }),
      messages: { groups: "Groups must be a list of ids" },
    },
    answers: { 200: "Machines that the promotion is assigned to, with those of its groups." },
    result: z.array(machineSchema),
    async run({ param, body, actor }) {
      const change = addTargets({ groups: body.groups.map(String) });
      await changeAssignments(promotionOwner(param("promotionId")), change, { actor });
      return (await listPromotionMachines(param("promotionId"))).map(toApiMachine);
    },
  }),
  operation({
    method: "DELETE",
    path: `${promotionPath}/groups/{groupId}`,
    scope: "machines",
    answers: { 200: "Machines that the promotion is assigned to, with those of its groups." },
    result: z.array(machineSchema),
    async run({ param, actor }) {
      const change = removeTarget({ kind: "group", id: param("groupId") });
      await changeAssignments(promotionOwner(param("promotionId")), change, { actor });
      return (await listPromotionMachines(param("promotionId"))).map(toApiMachine);
    },
  }),
  operation({
    method: "GET",
    path: generationPath,
    scope: "read",
    answers: { 200: "The mass generation, with the number of its codes in each status." },
    result: massGenerationSchema,
    run: ({ param }) => readGeneration(param("massGenerationId")),
  }),
  operation({
    method: "PUT",
    path: generationPath,
    scope: "promotions",
    body: editBody,
    answers: {
      200: "The mass generation as it is now. An expiration can only be moved to a later day.",
    },
    result: massGenerationSchema,
    async run({ param, body, actor }) {
      const generation = await getMassGeneration(param("massGenerationId"));
      const { name, day } = readEdit(body);
      const version = body.version ?? generation.version;
      const edit = { name: name ?? generation.name, expirationDate: day, version };
      await editGeneration(generation.id, edit, { actor, idempotencyKey: null });
      return readGeneration(generation.id);
    },
  }),
  ...(["deactivate", "reactivate"] as const).map((action) =>
    operation({
      method: "PUT",
      path: `${generationPath}/${action}`,
      scope: "promotions",
      answers: { 200: `The mass generation ${changed}` },
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
    path: `${generationPath}/restore`,
    scope: "promotions",
    answers: { 200: `The mass generation ${changed} Admins only.` },
    result: massGenerationSchema,
    async run({ param, actor }) {
      await restoreMassGeneration(param("massGenerationId"), { actor });
      return readGeneration(param("massGenerationId"));
    },
  }),
  operation({
    method: "GET",
    path: "/api/machine-groups",
    scope: "read",
    answers: { 200: "Every machine group, with the number of its machines." },
    result: z.array(groupSchema),
    async run() {
      const { groups } = await listMachineGroups({ page: 1, perPage: 10_000 });
      return groups.map(({ id, name, kind, machines }) => ({
        ...{ id: Number(id), name, kind },
        machines: machines.live,
      }));
    },
  }),
];
