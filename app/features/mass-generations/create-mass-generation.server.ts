import { one } from "../../db/connection.server";
import { settings } from "../settings/settings.server";
import { invalidFields } from "../../errors";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { createSetFrom } from "../assignments/assignments.server";
import { requireApproval, storeApprovalResult } from "../approvals/approvals.server";
import { fieldBindings, fieldColumns } from "../promotions/field-columns.server";
import {
  endOfDaySql,
  rejectPastDate,
  rejectWrongStart,
  timesBindings,
  timesColumns,
  timesValues,
} from "../promotions/times.server";
import { createCaps } from "../caps/caps.server";
import { recordAction } from "../activity/audit-log.server";
import { toCampaignData } from "../events/event-data";
import { recordEvent } from "../events/record-event.server";
import { insertCodes, makeCodes, type CreateMassOptions } from "./insert-codes.server";
import type { NewMassGeneration } from "./mass-generation-forms";

/**
 * Creates a mass generation with all its codes, machines and groups, or nothing (RULES P2). The
 * machines and groups are stored once, for the generation.
 * @throws DomainError invalid: more codes than the settings allow, a machine that is unknown or deleted, a
 *   group that is gone, a date that has passed; conflict: the key was used for something else
 * @throws HeldForApproval: the codes wait for a second admin
 */
export async function createMassGeneration(input: NewMassGeneration, options: CreateMassOptions) {
  const { actor } = options;
  const { name, numCodes: count, codePattern: pattern } = input;
  return makeCodes({ count, input }, options, async (trx) => {
    const { maxCodes } = settings();
    if (count > maxCodes)
      throw invalidFields({ num_codes: `Number of codes cannot exceed ${formatNumber(maxCodes)}` });
    await rejectPastDate(trx, input.expirationDate);
    await rejectWrongStart(trx, input);
    const setId = await createSetFrom(trx, input);
    await requireApproval(trx, { kind: "mass", name, codes: count, input }, options);
    const created = await one<{ id: string }>(
      trx,
      `insert into mass_generations (num_codes, ${fieldColumns()}, ${timesColumns}, expires_at, set_id, created_by,
         code_prefix, code_length, code_lengths)
       values (:numCodes, ${fieldBindings(input)}, ${timesValues}, ${endOfDaySql}, :setId, :userId, :prefix, :length, cast(:lengths as integer[]))
       returning id`,
      {
        ...input,
        ...timesBindings(input),
        lastDay: input.expirationDate,
        userId: actor.id,
        setId,
        prefix: pattern?.prefix ?? null,
        length: pattern?.length ?? null,
        lengths: pattern ? [[pattern.length, count]] : null,
      },
    );
    const { id } = created!;
    await storeApprovalResult(trx, options.decision, paths.generation(id));
    if (input.caps) await createCaps(trx, { type: "mass_generation", id }, input.caps);
    await insertCodes(trx, id, { count, pattern }, options);
    const details = { covered: count, details: input };
    await recordAction(trx, actor, "mass_generation.created", id, details);
    await recordEvent(trx, {
      type: "campaign.created",
      subject: `mass_generation:${id}`,
      data: { campaign: toCampaignData(input, { id, numCodes: count }) },
    });
    return id;
  });
}
