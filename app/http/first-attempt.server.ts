import { KeyConflict } from "../features/activity/idempotency.server";
import type { SubjectType } from "../features/activity/subject";
import { readSubjectNames } from "../features/audit/subject-names.server";
import type { Reader } from "../features/sign-in/user";
import { formatCodes } from "../format/promotion";
import { paths } from "../paths";

/** Things that are created, by the field of a stored result that has their id. */
const created: Record<string, [SubjectType, path: (id: string) => string]> = {
  promotionId: ["promotion", paths.promotion],
  massGenerationId: ["mass_generation", paths.generation],
  machineGroupId: ["machine_group", paths.machineGroup],
  approvalId: ["approval", paths.approval],
};

/**
 * Tells what the first attempt with a key created, which this one has other values for. Returns nothing for any other
 * reason, and about what is gone.
 */
export async function describeFirstAttempt(cause: unknown, reader: Reader) {
  if (!(cause instanceof KeyConflict)) return {};
  const { firstResult } = cause;
  const field = Object.keys(created).find((name) => name in firstResult);
  if (!field) return {};
  const [subjectType, path] = created[field]!;
  const subjectId = String(firstResult[field]);
  const row = { subjectType, subjectId, subjectIds: null };
  const name = (await readSubjectNames([row], reader))[subjectType]?.get(subjectId);
  if (name === undefined) return {};
  const { codes } = firstResult;
  const made = typeof codes === "number" ? `made ${formatCodes(codes)} of` : "created";
  const message = `The first attempt ${made} "${name}".`;
  return { firstAttempt: { message, href: path(subjectId) } };
}
