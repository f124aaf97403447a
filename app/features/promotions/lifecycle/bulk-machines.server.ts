/** Machines of many codes at once, set by set (rulings 3.5). Whoever calls holds the rows' locks. */
import type { Knex } from "knex";
import { DomainError } from "../../../errors";

type Rows<Row> = { rows: Row[] };

/** More rows than this would keep everybody else waiting. */
const maxAssignments = 2_500_000;

/** Whether the machine `wanted.id` is assigned to the code `p` by itself. */
const isAssignedSql = `(exists (select from promotion_assignments a
    where p.has_own_machines and a.promotion_id = p.id and a.machine_id = wanted.id)
  or exists (select from mass_generation_assignments a
    where not p.has_own_machines and a.mass_generation_id = p.mass_generation_id
      and a.machine_id = wanted.id))`;
const wantedSql = "unnest(cast(:machineIds as bigint[])) as wanted (id)";

/** Whether a code `p` lacks one of the machines, or has one of them. */
export const lacksSql = `exists (select from ${wantedSql} where not ${isAssignedSql})`;
export const hasSomeSql = `exists (select from ${wantedSql} where ${isAssignedSql})`;

/**
 * @param mustBeAssignable false where machines are taken away: the deleted ones too
 * @returns the ids of the machines, as PostgreSQL writes an array
 * @throws DomainError invalid: a machine is unknown
 */
export async function findMachineIds(
  trx: Knex,
  serials: readonly string[],
  mustBeAssignable: boolean,
): Promise<string> {
  const { rows } = await trx.raw<Rows<{ id: string; serial_number: string }>>(
    `select id, serial_number from machines
     where serial_number = any(:serials) and (not :mustBeAssignable or not is_deleted)
     order by id`,
    { serials: [...serials], mustBeAssignable },
  );
  const known = new Set(rows.map((row) => row.serial_number));
  const unknown = serials.filter((serial) => !known.has(serial));
  if (unknown.length > 0) {
    const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : "";
    const sentence = `Not available: ${unknown.slice(0, 3).join(", ")}${more}. Nothing was changed.`;
    throw new DomainError("invalid", sentence, { machines: sentence });
  }
  return `{${rows.map((row) => row.id).join(",")}}`;
}

/** Before anything is compared: codes times machines. */
export function refuseTooManyAssignments(codes: number, machines: number): void {
  if (codes * machines <= maxAssignments) return;
  const sentence =
    "That is too much for one action: choose fewer machines, or fewer codes. Nothing was changed.";
  throw new DomainError("invalid", sentence, { machines: sentence });
}

type MachineChange = {
  /** Of the codes and the machines, as PostgreSQL writes an array. */
  ids: string;
  machineIds: string;
  isAdding: boolean;
};

/** Adds or removes machines; a code that shared its generation's gets its own, unless all do it. */
export async function changeMachines(trx: Knex, { ids, machineIds, isAdding }: MachineChange) {
  const bindings = { ids, machineIds, whole: await wholeGenerations(trx, ids) };
  await splitFromGeneration(trx, bindings);
  if (isAdding) {
    await trx.raw(
      `insert into mass_generation_assignments (mass_generation_id, machine_id)
       select generation.id, wanted.id
       from unnest(cast(:whole as bigint[])) as generation (id), ${wantedSql}
       on conflict do nothing`,
      bindings,
    );
    await trx.raw(
      `insert into promotion_assignments (promotion_id, machine_id)
       select p.id, wanted.id from promotions p, ${wantedSql}
       where p.id = any(cast(:ids as bigint[])) and p.has_own_machines
       order by p.id, wanted.id
       on conflict do nothing`,
      bindings,
    );
  } else {
    await trx.raw(
      `delete from mass_generation_assignments
       where mass_generation_id = any(cast(:whole as bigint[]))
         and machine_id = any(cast(:machineIds as bigint[]))`,
      bindings,
    );
    await trx.raw(
      `delete from promotion_assignments a using promotions p
       where p.id = any(cast(:ids as bigint[])) and p.has_own_machines
         and a.promotion_id = p.id and a.machine_id = any(cast(:machineIds as bigint[]))`,
      bindings,
    );
  }
  await trx.raw(
    `update mass_generations g set version = version + 1, is_assigned = exists (
       select from mass_generation_assignments a where a.mass_generation_id = g.id)
     where g.id = any(cast(:whole as bigint[]))`,
    bindings,
  );
  await trx.raw(
    `update promotions p set version = version + 1, updated_at = now(), is_assigned =
       case when p.has_own_machines
         then exists (select from promotion_assignments a where a.promotion_id = p.id)
         else exists (select from mass_generation_assignments a
           where a.mass_generation_id = p.mass_generation_id)
       end
     where p.id = any(cast(:ids as bigint[]))`,
    bindings,
  );
}

/** Generations of which every code that shares the machines is among the ids. */
async function wholeGenerations(trx: Knex, ids: string): Promise<string> {
  const { rows } = await trx.raw<Rows<{ whole: string }>>(
    `select coalesce(array_agg(mass_generation_id)::text, '{}') as whole from (
       select p.mass_generation_id from promotions p
       where p.id = any(cast(:ids as bigint[])) and not p.has_own_machines
       group by p.mass_generation_id
       having count(*) = (select count(*) from promotions other
         where other.mass_generation_id = p.mass_generation_id
           and not other.has_own_machines and not other.is_deleted)) generations`,
    { ids },
  );
  return rows[0]!.whole;
}

/** The other codes take the generation's machines as their own, before they change. */
async function splitFromGeneration(trx: Knex, bindings: { ids: string; whole: string }) {
  const { rows } = await trx.raw<Rows<{ split: string; made: string }>>(
    `select coalesce(array_agg(p.id)::text, '{}') as split,
       coalesce(sum((select count(*) from mass_generation_assignments a
         where a.mass_generation_id = p.mass_generation_id)), 0) as made
     from promotions p
     where p.id = any(cast(:ids as bigint[])) and not p.has_own_machines
       and p.mass_generation_id <> all(cast(:whole as bigint[]))`,
    bindings,
  );
  const { split, made } = rows[0]!;
  refuseTooManyAssignments(Number(made), 1);
  await trx.raw(
    `insert into promotion_assignments (promotion_id, machine_id, group_id)
     select p.id, a.machine_id, a.group_id
     from promotions p join mass_generation_assignments a using (mass_generation_id)
     where p.id = any(cast(:split as bigint[]))
     on conflict do nothing`,
    { split },
  );
  await trx.raw(
    "update promotions set has_own_machines = true where id = any(cast(:split as bigint[]))",
    { split },
  );
}
