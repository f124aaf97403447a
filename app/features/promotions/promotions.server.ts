/** One promotion: its values, and the machines and groups that it is assigned to. */
import { db, one, query, type Database } from "../../db/connection.server";
import { namesIn } from "../../db/pages.server";
import { environment } from "../../env.server";
import { conflict, notFound } from "../../errors";
import { formatCode } from "../../format/promotion";
import { findCode } from "../../forms/code-input";
import { parseRecordId } from "../../forms/record-id";
import { lockSharedSets } from "../assignments/assignment-sets.server";
import type { AssignmentOwner } from "../assignments/assignments.server";
import { readAssigned } from "../assignments/targets.server";
import { listMachinesById } from "../machines/machines.server";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import type { Promotion } from "./promotion";
import {
  clockBindings,
  clockSql,
  isWithinHoursSql,
  joinedStatusSql,
  joinGenerationSql,
  promotionColumns,
} from "./promotion-sql.server";

export const promotionNotFound = () => notFound("Error: Promotion not found");
export const campaignNotFound = () => notFound("Error: Campaign not found");

/** @throws DomainError not_found, also for text that can't be an id */
export function getPromotion(id: string): Promise<Promotion> {
  return readPromotion(db(), id);
}

/**
 * Reads a promotion `p` with more columns.
 * @throws DomainError not_found, also for text that can't be an id
 */
export async function readPromotion<More extends object = object>(
  database: Database,
  id: string,
  { more = "", lock = "" }: { more?: string; lock?: string } = {},
): Promise<Promotion & More> {
  const promotion = await one<Promotion & More>(
    database,
    `with ${clockSql} select ${promotionColumns} ${more && `, ${more}`}
     from promotions p left join mass_generations g on g.id = p.mass_generation_id
     where p.id = :promotionId ${lock}`,
    { ...clockBindings(), promotionId: parseRecordId(id) },
  );
  if (!promotion) throw promotionNotFound();
  return promotion;
}

export async function promotionExists(id: string): Promise<boolean> {
  return (await db()("promotions").where({ id }).first("id")) !== undefined;
}

/** Returns the id of the promotion with a code, deleted ones included; null if there is none. */
export async function findPromotionId(code: string): Promise<string | null> {
  const row = await one<{ id: string }>(db(), "select id from promotions where code = :code", {
    code,
  });
  return row?.id ?? null;
}

/**
 * Reads the values and their version in one statement, so that an edit that names this version
 * never overwrites a value that the editor didn't see. Changes by people move the version.
 * @throws DomainError not_found
 */
export async function getPromotionDetails(id: string) {
  type More = {
    setId: string;
    /** True for a single promotion. */
    isGenerationActive: boolean;
    /** Whether it shares the set of its mass generation. */
    isShared: boolean;
    /** The email of who created it, or its mass generation. */
    createdBy: string | null;
  };
  const row = await readPromotion<More>(db(), id, {
    more: `p.set_id, coalesce(g.is_active, true) as is_generation_active,
      coalesce(g.set_id = p.set_id, false) as is_shared,
      (select email from users where id = coalesce(g.created_by, p.created_by)) as created_by`,
  });
  const { setId, isGenerationActive, isShared, createdBy, ...promotion } = row;
  const [assigned, replacements] = await Promise.all([
    readAssigned(setId),
    readReplacements(db(), row.id),
  ]);
  return {
    promotion,
    version: row.version,
    isGenerationActive,
    isShared,
    createdBy,
    ...assigned,
    ...replacements,
  };
}

export type CodeLink = { id: string; code: string };

/** Reads the code that a promotion replaces, and the one that replaces it (RULES P7). */
export async function readReplacements(database: Database, id: string) {
  const rows = await query<CodeLink & { isReplacement: boolean }>(
    database,
    `select p.id, p.code, r.replaced_id = :id as is_replacement
     from replacements r
       join promotions p on p.id = case when r.replaced_id = :id then r.promotion_id else r.replaced_id end
     where r.replaced_id = :id or r.promotion_id = :id`,
    { id },
  );
  const find = (isReplacement: boolean): CodeLink | null =>
    rows.find((row) => row.isReplacement === isReplacement) ?? null;
  return { replaces: find(false), replacement: find(true) };
}

/**
 * Reads what a promotion is assigned to. `isShared` says that it shares the set of its mass
 * generation, until its first change.
 * @throws DomainError not_found
 */
export async function readPromotionMachines(id: string) {
  const { setId, isShared } = await findPromotion(db(), id);
  return { ...(await readAssigned(setId)), isShared };
}

/**
 * Lists the machines that a promotion is assigned to, directly or with a group, deleted ones too.
 * @throws DomainError not_found
 */
export async function listPromotionMachines(id: string) {
  const { setId } = await findPromotion(db(), id);
  const rows = await query<{ machineId: string }>(
    db(),
    "select distinct machine_id from assigned_machines where set_id = :setId",
    { setId },
  );
  return listMachinesById(rows.map(({ machineId }) => machineId));
}

/** Lists the serial numbers of the machines that accept promotions, by the id of the promotion. */
export async function listSerialNumbers(ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await query<{ id: string; serialNumbers: string[] }>(
    db(),
    // Codes of a generation share a set, whose machines are read once.
    `with chosen as (
       select id, set_id from promotions where id = any(cast(:ids as bigint[]))
     ), sets as (
       select set_id, array_agg(distinct m.serial_number order by m.serial_number) as serial_numbers
       from effective_machines join machines m on m.id = machine_id
       where set_id in (select set_id from chosen) group by set_id
     ) select id, serial_numbers from chosen join sets using (set_id)`,
    { ids: `{${ids.join()}}` },
  );
  return new Map(rows.map(({ id, serialNumbers }) => [id, serialNumbers]));
}

/**
 * Returns a promotion as the owner of its machines and groups. A code of a generation that shares
 * the generation's set gets a set of its own with its first change.
 */
export function promotionOwner(id: string): AssignmentOwner {
  return {
    kind: "promotion",
    async lock(trx) {
      await lockSharedSets(trx, [parseRecordId(id) ?? "0"]);
      const { isDeleted, ...promotion } = await findPromotion(trx, id, "for update of p");
      if (isDeleted) throw conflict("This code is deleted. Its machines can't be changed.");
      return { ...promotion, covered: 1 };
    },
    async save(trx, { id: promotionId, setId }) {
      await query(
        trx,
        `update promotions set set_id = :setId, version = version + 1, updated_at = now()
         where id = :promotionId`,
        { promotionId, setId },
      );
    },
  };
}

async function findPromotion(database: Database, id: string, lock: "" | "for update of p" = "") {
  const promotion = await one<{ id: string; setId: string; isShared: boolean; isDeleted: boolean }>(
    database,
    `select p.id, p.set_id, p.is_deleted, coalesce(p.set_id = g.set_id, false) as is_shared
     from promotions p left join mass_generations g on g.id = p.mass_generation_id
     where p.id = :promotionId ${lock}`,
    { promotionId: parseRecordId(id) },
  );
  if (!promotion) throw promotionNotFound();
  return promotion;
}

const singleNames = namesIn("promotions", "name", ["name"], "mass_generation_id is null");

/** Finds the promotion with a code, or else singles by a part of their name. */
export async function findPromotionIds(text: string): Promise<string[]> {
  const code = findCode(text, environment().qrPayload);
  const id = code && (await findPromotionId(code));
  return id ? [id] : singleNames.find(text);
}

/** Reads the names of promotions with their codes; those of unknown ids are left out. */
export async function promotionNames(ids: readonly string[], reader: Reader) {
  const sql = "select id, name, code from promotions where id = any(cast(:ids as bigint[]))";
  const rows = await query<{ id: string; name: string; code: string }>(db(), sql, { ids });
  return rows.map(({ id, name, code }) => ({
    id,
    name: `${name} ${formatCode(codeFor(reader, code))}`,
  }));
}

/** Finds a code that a machine accepts now, among the newest ones, for an example that works; null if there is none. */
export function findRedeemable() {
  return one<{ id: string; code: string; serialNumber: string }>(
    db(),
    `with ${clockSql}
     select p.id, p.code, at_machine.serial_number
     from (select * from promotions where not is_deleted order by created_at desc, id desc limit 100) p
       ${joinGenerationSql}
       cross join lateral (
         select m.serial_number from effective_machines e join machines m on m.id = e.machine_id
         where e.set_id = p.set_id and not m.is_deleted order by m.serial_number limit 1) at_machine
     where ${joinedStatusSql} = 'active' and ${isWithinHoursSql}
     order by p.created_at desc, p.id desc limit 1`,
    clockBindings(),
  );
}
