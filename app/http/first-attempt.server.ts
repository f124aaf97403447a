import { KeyConflict } from "../features/activity/idempotency.server";
import type { SubjectType } from "../features/activity/subject";
import { readSubjectNames } from "../features/audit/subject-names.server";
import { viewNames } from "../features/promotions/list/saved-views.server";
import type { Reader } from "../features/sign-in/user";
import { formatCodes } from "../format/promotion";
import { paths } from "../paths";

/** Reads the name of a record; undefined if it is gone. */
type ReadName = (id: string, reader: Reader) => Promise<string | undefined>;

const subjectName =
  (subjectType: SubjectType): ReadName =>
  async (subjectId, reader) => {
    const row = { subjectType, subjectId, subjectIds: null };
    return (await readSubjectNames([row], reader))[subjectType]?.get(subjectId);
  };

/** Things that are created, by the field of a stored result that has their id. */
const created: Record<string, [ReadName, path: (id: string) => string]> = {
  promotionId: [subjectName("promotion"), paths.promotion],
  massGenerationId: [subjectName("mass_generation"), paths.generation],
  machineGroupId: [subjectName("machine_group"), paths.machineGroup],
  userId: [subjectName("user"), paths.user],
  approvalId: [subjectName("approval"), paths.approval],
  integrationId: [subjectName("integration"), paths.integration],
  webhook: [subjectName("webhook"), paths.webhook],
  reportScheduleId: [subjectName("report_schedule"), paths.scheduleEdit],
  viewId: [async (id) => (await viewNames.read([id]))[0]?.name, paths.savedView],
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
  const [readName, path] = created[field]!;
  const id = String(firstResult[field]);
  const name = await readName(id, reader);
  if (name === undefined) return {};
  const { codes } = firstResult;
  // A saved view may have replaced an earlier one.
  const verb = field === "viewId" ? "saved" : "created";
  const made = typeof codes === "number" ? `made ${formatCodes(codes)} of` : verb;
  return { firstAttempt: { message: `The first attempt ${made} "${name}".`, href: path(id) } };
}
