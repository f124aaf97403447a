import { namesIn } from "../../db/pages.server";
import { type Database, db, one, query } from "../../db/connection.server";
import { conflict } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { formatCodes } from "../../format/promotion";
import type { Assigned } from "../assignments/assigned";
import { readAssigned } from "../assignments/targets.server";
import type { AssignmentOwner } from "../assignments/assignments.server";
import {
  type FormPrefill,
  prefillForm,
  prefillFrom,
} from "../promotions/form/create-promotion.server";
import type { CodePattern } from "../promotions/code";
import { toPatternInput } from "../promotions/form/code-pattern.server";
import type { Campaign } from "../promotions/promotion";
import { capsOf } from "../caps/cap-sql.server";
import { fieldColumns } from "../promotions/field-columns.server";
import { clockBindings, clockSql, timesOf } from "../promotions/promotion-sql.server";
import { campaignNotFound } from "../promotions/promotions.server";

export type MassGeneration = Campaign & {
  numCodes: number;
  /** Lengths of the codes in their order, each with the number of codes; null if all have that of most codes. */
  codeLengths: [length: number, count: number][] | null;
  /** The operator's own form of codes that are made here; null for that of most codes. */
  codePattern: CodePattern | null;
  /** Moves when somebody changes the generation; an edit names the one it saw. */
  version: number;
  /** Email address; null if it is not known, or the account is gone. */
  createdBy: string | null;
};

/** Selects a `MassGeneration` from a row `g`; needs `clockSql`. */
const generationColumns = `
  g.id, g.num_codes, g.code_lengths,
  case when g.code_length is not null then json_build_object('prefix', g.code_prefix, 'length', g.code_length) end
    as code_pattern, ${fieldColumns("g.")}, g.is_deleted, g.is_active, g.expires_at, g.created_at, g.version,
  coalesce(g.expires_at <= (select at from clock), false) as is_expired,
  case when g.is_renewable then (select
    (date_trunc('month', local_time) + interval '1 month') at time zone :timeZone from clock)
  end as renews_at,
  ${timesOf("g")} as times, ${capsOf("g.caps_id")} as caps,
  (select u.email from users u where u.id = g.created_by) as created_by`;

/** @throws DomainError not_found, also for malformed ids */
export async function getMassGeneration(
  id: string,
  database: Database = db(),
  lock: "" | "for no key update of g" = "",
): Promise<MassGeneration> {
  const generation = await one<MassGeneration>(
    database,
    `with ${clockSql} select ${generationColumns} from mass_generations g where g.id = :id ${lock}`,
    { ...clockBindings(), id: parseRecordId(id) },
  );
  if (!generation) throw campaignNotFound();
  return generation;
}

/** Reads a mass generation that nobody else changes until the transaction ends. @throws DomainError not_found */
export function lockGeneration(trx: Database, id: string): Promise<MassGeneration> {
  return getMassGeneration(id, trx, "for no key update of g");
}

/** Returns the name behind a filter by mass generation, by its parameter; nothing for an unknown id. */
export async function readFilterNames({ massGenerationId }: { massGenerationId: string | null }) {
  if (massGenerationId === null) return {};
  const generation = await one<{ name: string }>(
    db(),
    "select name from mass_generations where id = :massGenerationId",
    { massGenerationId },
  );
  return { mass_generation_id: generation?.name };
}

/** @throws DomainError not_found, also for malformed ids; conflict: it is deleted */
export async function getUndeletedGeneration(id: string): Promise<MassGeneration> {
  const generation = await getMassGeneration(id);
  if (generation.isDeleted) throw conflict("This campaign is deleted. An admin can restore it.");
  return generation;
}

/** Counts the codes of a generation `g` that have sets of their own because they were edited alone. */
const ownCodesSql =
  "(select count(*)::integer from assignment_sets s where s.copied_from = g.set_id)";

/** @param generationId of a generation that exists */
export async function readGenerationAssigned(
  generationId: string,
): Promise<Assigned & { ownCodes: number }> {
  const generation = await one<{ setId: string; ownCodes: number }>(
    db(),
    `select g.set_id, ${ownCodesSql} as own_codes
     from mass_generations g where g.id = :generationId`,
    { generationId },
  );
  const { setId, ownCodes } = generation!;
  return { ...(await readAssigned(setId)), ownCodes };
}

/** @param id as it came in a URL */
export function generationOwner(id: string): AssignmentOwner {
  return {
    kind: "mass_generation",
    async lock(trx) {
      type Locked = { id: string; setId: string; isDeleted: boolean; covered: number };
      const generation = await one<Locked>(
        trx,
        `select g.id, g.set_id, g.is_deleted, g.num_codes - ${ownCodesSql} as covered
         from mass_generations g where g.id = :id for update of g`,
        { id: parseRecordId(id) },
      );
      if (!generation) throw campaignNotFound();
      if (generation.isDeleted)
        throw conflict("This campaign is deleted. Its machines can't be changed.");
      return { ...generation, isShared: false };
    },
    async save(trx, { id }) {
      await query(trx, "update mass_generations set version = version + 1 where id = :id", { id });
    },
  };
}

export function copyMassGeneration(id: string | null): Promise<FormPrefill | null> {
  return prefillFrom(id, "campaign", async (generationId) => {
    const generation = await getMassGeneration(generationId);
    const { name, numCodes, codePattern } = generation;
    return prefillForm(generation, await readGenerationAssigned(generation.id), {
      source: `the campaign ${name} (${formatCodes(numCodes)})`,
      form: "mass",
      own: { num_codes: String(numCodes), ...(codePattern && toPatternInput(codePattern)) },
    });
  });
}

export const generationNames = namesIn("mass_generations", "name");
