/** Carries out what a second admin approved (RULES Y). */
import { db } from "../db/connection.server";
import { conflict, DomainError, invalid } from "../errors";
import type { Approval, ApprovalKind } from "../features/approvals/approval";
import {
  findDecision,
  requireApproval,
  storeApprovalResult,
} from "../features/approvals/approvals.server";
import { getApproval } from "../features/approvals/list-approvals.server";
import { confirmImport, type ImportActor } from "../features/imports/imports.server";
import { addCodes } from "../features/mass-generations/add-codes.server";
import { createMassGeneration } from "../features/mass-generations/create-mass-generation.server";
import {
  createPromotion,
  type CreateOptions,
} from "../features/promotions/form/create-promotion.server";
import { replacePromotion } from "../features/promotions/form/replace-promotion.server";
import { saveApprovalCodes } from "../features/settings/edit-settings.server";
import { loadSettings } from "../features/settings/settings.server";
import { countActiveAdmins, findActiveRole, lockUsers } from "../features/sign-in/users.server";
import { canEdit } from "../features/sign-in/user";
import { paths } from "../paths";

type Options = CreateOptions & { actor: ImportActor };
type Carrier = (input: never, options: Options) => Promise<string>;

/** Makes what was asked for, and returns its address. */
const carriers: Record<ApprovalKind, Carrier> = {
  single: async (input: Parameters<typeof createPromotion>[0], options) =>
    paths.promotion((await createPromotion(input, options)).promotion.id),
  mass: async (input: Parameters<typeof createMassGeneration>[0], options) =>
    paths.generation((await createMassGeneration(input, options)).id),
  added: async ({ id, numCodes }: { id: string; numCodes: number }, options) =>
    paths.generation((await addCodes(id, numCodes, options)).id),
  replacement: async ({ replaced }: { replaced: string }, options) =>
    paths.promotion((await replacePromotion(replaced, options)).id),
  import: async ({ id }: { id: string }, { actor, decision }) => {
    await confirmImport(id, { actor, decision });
    return paths.import(id);
  },
  limit: async ({ limit }: { limit: number | null }, options) => {
    await db().transaction(async (trx) => {
      // Until the limit is committed, nobody is removed from the admins.
      await lockUsers(trx);
      if (limit !== null && (await countActiveAdmins(trx)) < 2)
        throw conflict("A limit needs two admins, and there is one. Refuse it.");
      const wanted = { kind: "limit", name: "", codes: 0, input: { limit } } as const;
      await requireApproval(trx, wanted, options);
      await storeApprovalResult(trx, options.decision, paths.settings);
      await saveApprovalCodes(trx, limit, options.actor);
    });
    await loadSettings();
    return paths.settings;
  },
};

/**
 * Approves a request, and makes what it asks for as the person who asked, in one transaction. A repetition by the same
 * admin makes nothing more.
 * @returns the address of what was made
 * @throws DomainError conflict: it was refused before, decided by others or is the admin's own, or who asked may no
 *   longer make it; and what the request itself may break by now, such as a date that has passed
 */
export async function approve(id: string, decidedBy: ImportActor): Promise<string> {
  try {
    return await carryOut(id, decidedBy);
  } catch (cause) {
    const earlier = cause instanceof DomainError && (await findDecision(id, decidedBy, "approved"));
    if (!earlier) throw cause;
    return earlier.result ?? paths.approval(id);
  }
}

async function carryOut(id: string, decidedBy: ImportActor): Promise<string> {
  const approval: Approval = await getApproval(id, decidedBy);
  const role = await findActiveRole(approval.askedBy);
  // Only admins change settings.
  if (role === null || !canEdit({ role }) || (approval.kind === "limit" && role !== "admin"))
    throw conflict("Who asked for this may no longer make it. Refuse it.");
  const carry = carriers[approval.kind] as (input: unknown, options: Options) => Promise<string>;
  const options = {
    // The audit log names who asked, and the request that made it.
    actor: { ...decidedBy, id: approval.askedBy, email: approval.askedByEmail, role },
    idempotencyKey: null,
    decision: { approvalId: approval.id, decidedBy },
  };
  return carry(approval.input, options).catch((cause: unknown) => {
    if (!(cause instanceof DomainError)) throw cause;
    // The request itself is there: as a missing page, nobody would know what to do with it.
    if (cause.reason === "not_found")
      throw conflict("What this request is about no longer exists. Refuse it.");
    // The fields of the form that asked for it are not on the page of the request.
    if (cause.reason === "invalid")
      throw invalid(`${cause.message.replace(/\.$/, "")}. Refuse this request.`);
    throw cause;
  });
}
