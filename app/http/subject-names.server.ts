/** Names what the audit log tells of, as people know it. The log itself reads no other table. */
import type { SubjectNames, SubjectReference } from "../features/activity/audit-list.server";
import type { SubjectType } from "../features/activity/audit-list";
import { integrationNames } from "../features/integrations/integrations.server";
import { groupNames } from "../features/machines/machine-groups.server";
import { machineNames } from "../features/machines/machines.server";
import { generationNames } from "../features/mass-generations/mass-generation.server";
import { promotionNames } from "../features/promotions/promotions.server";
import { userNames } from "../features/sign-in/users.server";
import { webhookNames } from "../features/webhooks/webhooks.server";

type ReadNames = (ids: readonly string[]) => Promise<{ id: string; name: string }[]>;

const readers: Partial<Record<SubjectType, ReadNames>> = {
  promotion: promotionNames,
  mass_generation: generationNames,
  machine: machineNames,
  machine_group: groupNames,
  user: userNames,
  integration: integrationNames,
  webhook: webhookNames,
};

/** Reads the current names of subjects with one query for each type; what is gone has none. */
export async function readSubjectNames(
  subjects: readonly SubjectReference[],
): Promise<SubjectNames> {
  const names: SubjectNames = {};
  for (const [type, read] of Object.entries(readers) as [SubjectType, ReadNames][]) {
    const ids = new Set(subjects.filter((each) => each.type === type).map(({ id }) => id));
    if (ids.size === 0) continue;
    names[type] = new Map((await read([...ids])).map(({ id, name }) => [id, name]));
  }
  return names;
}
