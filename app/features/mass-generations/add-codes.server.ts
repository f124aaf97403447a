/** Codes that are added to a mass generation: with its terms, machines and groups as they are by then. */
import { one, query, type Database } from "../../db/connection.server";
import { conflict, invalidFields, notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { recordAction } from "../activity/audit-log.server";
import {
  awaitOtherCodes,
  requireApproval,
  storeApprovalResult,
} from "../approvals/approvals.server";
import { toCampaignData } from "../events/event-data";
import { recordEvent } from "../events/record-event.server";
import { codeLength } from "../promotions/code";
import { settings } from "../settings/settings.server";
import type { AddedCodes } from "./added-codes";
import { insertCodes, makeCodes, type CreateMassOptions } from "./insert-codes.server";
import { lockGeneration, type MassGeneration } from "./mass-generation.server";

/** Says why a campaign gets no more codes; null where it may. */
export function whyNoMoreCodes({
  isDeleted,
  isExpired,
  numCodes,
}: Pick<MassGeneration, "isDeleted" | "isExpired" | "numCodes">): string | null {
  if (isDeleted) return "This campaign is deleted. An admin can restore it.";
  if (isExpired) return "This campaign has ended. Extend its expiration first.";
  const { maxCodes } = settings();
  return numCodes < maxCodes
    ? null
    : `This campaign has ${formatNumber(numCodes)} codes, and a campaign may have ${formatNumber(maxCodes)}. Duplicate it instead.`;
}

/**
 * Adds codes to a mass generation, all or none.
 * @returns the id of the generation
 * @throws DomainError not_found; conflict: it is deleted, has ended or is full, or the key was used for something else;
 *   invalid: more codes than it may have
 * @throws HeldForApproval: the codes wait for a second admin
 */
export async function addCodes(id: string, numCodes: number, options: CreateMassOptions) {
  const { actor } = options;
  const input = { id, numCodes };
  return makeCodes({ count: numCodes, input }, options, async (trx) => {
    await awaitOtherCodes(trx, options);
    const generation = await lockGeneration(trx, id);
    const reason = whyNoMoreCodes(generation);
    if (reason !== null) throw conflict(reason);
    const before = generation.numCodes;
    const to = before + numCodes;
    const left = settings().maxCodes - before;
    if (numCodes > left)
      throw invalidFields({ num_codes: `Number of codes cannot exceed ${formatNumber(left)}` });
    const wanted = { kind: "added", name: generation.name, codes: numCodes } as const;
    await requireApproval(trx, { ...wanted, input }, options);
    await storeApprovalResult(trx, options.decision, paths.generation(generation.id));
    const { codePattern: pattern, codeLengths } = generation;
    await query(
      trx,
      `insert into added_codes (mass_generation_id, first_number, num_codes, created_by)
       values (:id, :before + 1, :numCodes, :userId)`,
      { id: generation.id, before, numCodes, userId: actor.id },
    );
    await query(
      trx,
      `update mass_generations set num_codes = num_codes + :numCodes, version = version + 1,
         code_lengths = cast(:lengths as integer[])
       where id = :id`,
      {
        id: generation.id,
        numCodes,
        lengths: codeLengths && withLength(codeLengths, [pattern?.length ?? codeLength, numCodes]),
      },
    );
    await insertCodes(trx, generation.id, { count: numCodes, pattern }, options);
    await recordAction(trx, actor, "mass_generation.codes_added", generation.id, {
      covered: numCodes,
      details: { num_codes: { from: before, to } },
    });
    await recordEvent(trx, {
      type: "campaign.codes_added",
      subject: `mass_generation:${generation.id}`,
      data: {
        campaign: toCampaignData(generation, { id: generation.id, numCodes: to }),
        added: { first_number: before + 1, num_codes: numCodes },
      },
    });
    return generation.id;
  });
}

type LengthRun = [length: number, count: number];

function withLength(runs: readonly LengthRun[], [length, count]: LengthRun): LengthRun[] {
  const last = runs.at(-1);
  return last?.[0] === length
    ? [...runs.slice(0, -1), [length, last[1] + count]]
    : [...runs, [length, count]];
}

const columnsSql =
  "added.id, added.first_number as from, added.first_number + added.num_codes - 1 as to, added.created_at";

/** Reads what was added to a mass generation, the newest first. */
export function listAddedCodes(database: Database, generationId: string): Promise<AddedCodes[]> {
  return query(
    database,
    `select ${columnsSql} from added_codes added where added.mass_generation_id = :generationId
     order by added.id desc`,
    { generationId },
  );
}

/** @throws DomainError not_found: nothing was added under this id */
export async function getAddedCodes(database: Database, generationId: string, id: string) {
  const added = await one<AddedCodes>(
    database,
    `select ${columnsSql} from added_codes added
     where added.mass_generation_id = :generationId and added.id = :id`,
    { generationId, id: parseRecordId(id) },
  );
  if (!added) throw notFound("These codes were not found");
  return added;
}
