/** Names what the audit log tells of, as people know it: the features that own it are asked. */
import { maxMeant } from "../../db/pages.server";
import { invalidFields } from "../../errors";
import type { SubjectType } from "../activity/subject";
import { alertNames } from "../alerts/alerts.server";
import { approvalNames } from "../approvals/list-approvals.server";
import { importNames } from "../imports/imports.server";
import { integrationNames } from "../integrations/integrations.server";
import { groupNames } from "../machines/machine-groups.server";
import { machineNames } from "../machines/machines.server";
import { generationNames } from "../mass-generations/mass-generation.server";
import { findPromotionIds, promotionNames } from "../promotions/promotions.server";
import { scheduleNames } from "../report-schedules/schedules.server";
import type { Reader } from "../sign-in/user";
import { userNames } from "../sign-in/users.server";
import { webhookNames } from "../webhooks/webhooks.server";

type Names = {
  /** Reads current names by ids. */
  read: (ids: readonly string[], reader: Reader) => Promise<{ id: string; name: string }[]>;
  /** Finds the ids of those that have the text in their current name. */
  find?: (text: string) => Promise<string[]>;
};

const namesOf: Partial<Record<SubjectType, Names>> = {
  promotion: { read: promotionNames, find: findPromotionIds },
  mass_generation: generationNames,
  machine: machineNames,
  machine_group: groupNames,
  user: userNames,
  integration: integrationNames,
  webhook: webhookNames,
  alert: alertNames,
  approval: { read: approvalNames.read },
  import: { read: importNames.read },
  report_schedule: { read: scheduleNames.read },
};
const types = Object.entries(namesOf) as [SubjectType, Names][];

/** Names of subjects by their ids, for each type. */
export type SubjectNames = Partial<Record<SubjectType, ReadonlyMap<string, string>>>;

type Subjects = { subjectType: SubjectType; subjectId: string | null; subjectIds: string[] | null };

export const maxNamed = 3;

export function namedIds({ subjectId, subjectIds }: Omit<Subjects, "subjectType">): string[] {
  return subjectId === null ? (subjectIds ?? []).slice(0, maxNamed) : [subjectId];
}

/**
 * Finds the subjects that have the text in their current name, by their types.
 * @param onlyType null for all types
 * @throws DomainError invalid, `fields.subject`: too many have it
 */
export async function findSubjects(
  text: string,
  onlyType: SubjectType | null,
): Promise<[SubjectType, string[]][]> {
  const searched = types.filter(([type]) => onlyType === null || type === onlyType);
  const found = await Promise.all(
    searched.map(async ([type, { find }]): Promise<[SubjectType, string[]]> => [
      type,
      (await find?.(text)) ?? [],
    ]),
  );
  if (found.some(([, ids]) => ids.length > maxMeant))
    throw invalidFields({ subject: "Too many subjects match this name: type more of it" });
  return found.filter(([, ids]) => ids.length > 0);
}

/** Reads the current names of subjects with one query for each type; what is gone has none. */
export async function readSubjectNames(
  rows: readonly Subjects[],
  reader: Reader,
): Promise<SubjectNames> {
  const names: SubjectNames = {};
  for (const [type, { read }] of types) {
    const ids = new Set(rows.filter((row) => row.subjectType === type).flatMap(namedIds));
    if (ids.size === 0) continue;
    names[type] = new Map((await read([...ids], reader)).map(({ id, name }) => [id, name]));
  }
  return names;
}
