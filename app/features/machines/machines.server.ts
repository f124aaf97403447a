/** Machines as the database has them, and as the API writes them. */
import * as z from "zod/mini";
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { allOf, containsPattern, type PageQuery, queryPage, namesIn } from "../../db/pages.server";
import { invalidFields, notFound } from "../../errors";
import { type activityLabels, canBeSerial, type Machine, type MachineChoice } from "./machine";
import { machineList, type MachineFilters, type MachineSort } from "./machine-list";

const countSql = "coalesce(c.active_promotions, 0)";

/** Whether no code was used there for 24 hours. */
const isSilentSql = "coalesce(m.last_qr_used_at < now() - interval '24 hours', true)";

const machineColumns = `m.id, m.serial_number, m.human_name, m.last_qr_used_at as last_qr_used,
  ${isSilentSql} as is_silent, m.is_deleted, ${countSql} as active_promotions`;
const machineRows = "machines m left join machine_promotion_counts c on c.machine_id = m.id";

/** When the active promotions of machines were counted; null is never. */
const countedAtSql = "(select max(counted_at) from machine_promotion_counts)";

/** The parameter of the class that `machineActivity` gives a machine. */
const activitySql = `(case when ${countSql} > 10 then 'high' when ${countSql} >= 5 then 'medium'
  when ${countSql} >= 1 then 'low' else 'inactive' end)`;

/** Conditions of the filter by use. */
const useSql: Record<NonNullable<MachineFilters["use"]>, string> = {
  refused: "m.id = any(cast(:refusingIds as bigint[]))",
  silent: isSilentSql,
  used: `not ${isSilentSql}`,
};

/** Expressions that the columns are sorted by. */
const orderSql: Record<MachineSort["by"], string> = {
  serial: "m.serial_number",
  name: "lower(m.human_name)",
  active: "m.last_qr_used_at",
  promos: countSql,
  activity: `array_position(array['inactive', 'low', 'medium', 'high'], ${activitySql})`,
};

/**
 * Lists the machines that the platform lists, with the time when their promotions were counted; null with no machine.
 * @param query.refusingIds machines that refuse often, from which the use 'refused' chooses
 */
export async function listMachines({
  serialNumber = "",
  name = "",
  activity = null,
  use = null,
  groupId = null,
  refusingIds = [],
  sort: { by, isDescending } = machineList.defaultSort,
  ...pageQuery
}: Partial<MachineFilters> & {
  sort?: MachineSort;
  refusingIds?: readonly string[];
} & PageQuery) {
  const matches = allOf([
    "not m.is_deleted",
    serialNumber.trim() && "m.serial_number ilike :serialNumber",
    name.trim() && "m.human_name ilike :name",
    activity && `${activitySql} = :activity`,
    use && useSql[use],
    groupId && "m.id in (select machine_id from machine_group_members where group_id = :groupId)",
  ]);
  const statements = {
    from: `${machineRows} where ${matches}`,
    rows: `select ${machineColumns}, ${countedAtSql} as counted_at from ${machineRows} where ${matches}
      order by ${orderSql[by]} ${isDescending ? "desc" : "asc"} nulls last, m.serial_number
      limit :perPage offset :offset`,
    isPrepared: true,
  };
  const bindings = {
    serialNumber: containsPattern(serialNumber.trim()),
    name: containsPattern(name.trim()),
    activity,
    groupId,
    refusingIds,
  };
  const { rows, ...list } = await queryPage<Machine & { countedAt: Date | null }>(
    statements,
    bindings,
    pageQuery,
  );
  return { machines: rows, countedAt: rows[0]?.countedAt ?? null, ...list };
}

/** Counts the machines of each class, with the time when their promotions were counted. */
export async function countMachinesByActivity(database: Database = db()) {
  const rows = await query<{ activity: keyof typeof activityLabels; count: number }>(
    database,
    `select ${activitySql} as activity, count(*)::integer as count
     from ${machineRows} where not m.is_deleted group by 1`,
  );
  const counts = { high: 0, medium: 0, low: 0, inactive: 0 };
  for (const { activity, count } of rows) counts[activity] = count;
  const countedAt = await readValue<Date | null>(
    database,
    `select ${countedAtSql}`,
    {},
    { isPrepared: true },
  );
  return { counts, countedAt };
}

export async function listAllMachines(): Promise<Machine[]> {
  return query(
    db(),
    `select ${machineColumns} from ${machineRows} where not m.is_deleted order by m.serial_number`,
  );
}

/** Includes deleted machines. */
export async function listMachinesById(ids: readonly string[]): Promise<Machine[]> {
  return query(
    db(),
    `select ${machineColumns} from ${machineRows} where m.id = any(:ids) order by m.serial_number`,
    { ids },
  );
}

/** Lists every machine that can be assigned, by serial number: deleted ones can't. */
export async function listAssignableMachines(): Promise<MachineChoice[]> {
  return query(
    db(),
    "select serial_number, human_name from machines where not is_deleted order by serial_number",
    {},
    { isPrepared: true },
  );
}

/** Returns the machines to suggest in a field; none if there are more than fit into a page. */
export async function suggestMachines(): Promise<MachineChoice[]> {
  const machines = await listAssignableMachines();
  return machines.length > 200 ? [] : machines;
}

/** More matches than these are no choice: the text says too little. */
export const maxMachineMatches = 10;

/**
 * Finds the machines that somebody means: the one with this serial number, in either case, or else those with the text
 * in their name or serial number.
 */
export async function findMachines(text: string): Promise<MachineChoice[]> {
  return query(
    db(),
    `with same as (
       select m.serial_number, m.human_name from ${machineBySerialSql} m
     )
     select * from same
     union all (
       select serial_number, human_name from machines
       where not is_deleted and (human_name ilike :pattern or serial_number ilike :pattern)
         and not exists (select from same)
       order by lower(human_name), serial_number limit ${maxMachineMatches + 1})`,
    { serialNumber: text, pattern: containsPattern(text) },
  );
}

export type MachineDetails = Machine & {
  version: number;
  /** When the platform last heard of it. */
  lastSeen: Date | null;
  deletedAt: Date | null;
  /** When `activePromotions` was counted; null is never. */
  countedAt: Date | null;
  groups: { id: string; name: string }[];
};

/** @throws DomainError not_found: no machine has one of these serial numbers */
export async function getMachine(...serialNumbers: string[]): Promise<MachineDetails> {
  const machine = await one<MachineDetails>(
    db(),
    `select ${machineColumns}, m.version, m.last_seen_at as last_seen, m.deleted_at, c.counted_at,
       (select coalesce(json_agg(json_build_object('id', g.id::text, 'name', g.name)
            order by g.name), '[]')
        from machine_group_members member join machine_groups g on g.id = member.group_id
        where member.machine_id = m.id) as groups
     from ${machineRows} where m.serial_number = any(:possible)
     order by array_position(:possible, m.serial_number) limit 1`,
    { possible: serialNumbers.filter(canBeSerial) },
  );
  if (!machine) throw notFound("Machine not found");
  return machine;
}

/**
 * The machine with a serial number as somebody typed it, for behind a `from`: as it is written, or
 * else in the other case. Deleted ones too, after others; there are thousands at most.
 */
export const machineBySerialSql = `(select * from machines
  where lower(serial_number) = lower(:serialNumber)
  order by serial_number = :serialNumber desc, is_deleted, id limit 1)`;

/**
 * Finds machines by their serial numbers, which are compared exactly, in the order of their ids.
 * @param options.consequence ends the message about machines that are not available
 * @param options.withDeleted accepts machines that the platform no longer lists
 * @throws DomainError invalid, naming the first machines that are not available
 */
export async function requireMachines(
  database: Database,
  serials: readonly string[],
  { consequence, withDeleted = false }: { consequence: string; withDeleted?: boolean },
): Promise<{ id: string; serialNumber: string }[]> {
  if (serials.length === 0) return [];
  const machines = await query<{ id: string; serialNumber: string }>(
    database,
    `select id, serial_number from machines
     where serial_number = any(cast(:serials as text[])) and (:withDeleted or not is_deleted)
     order by id`,
    { serials: serials.filter(canBeSerial), withDeleted },
  );
  const known = new Set(machines.map(({ serialNumber }) => serialNumber));
  const unknown = serials.filter((serial) => !known.has(serial));
  if (unknown.length === 0) return machines;
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : "";
  const names = `${unknown.slice(0, 3).join(", ")}${more}`;
  throw invalidFields({ machines: `Not available: ${names}. ${consequence}` });
}

export const machinesMessage = "Machines must be a list of {serialNumber, humanName}";

/** A machine in a body. The platform decides its name; the one that is sent is ignored. */
export const sentMachine = z.strictObject(
  { serialNumber: z.string(machinesMessage), humanName: z.optional(z.string(machinesMessage)) },
  machinesMessage,
);

/** Body of `POST /api/promotion/{id}/add-machines`. */
export const addMachinesBody = z.strictObject({
  machines: z.array(sentMachine, machinesMessage),
});

export const machineNames = namesIn("machines", "serial_number", ["serial_number", "human_name"]);
