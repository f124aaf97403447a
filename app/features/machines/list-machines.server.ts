import { db, one, query } from "../../db/connection.server";
import type { Machine, MachineChoice } from "./machine";
import {
  machineList,
  type MachineFilters,
  type MachineSort,
  type MachineSortColumn,
} from "./machine-list";
import { maxSuggestions, type SerialSuggestion } from "./serial-suggestions";

const selectMachinesSql = `
  select m.id, m.serial_number, m.human_name, m.last_qr_used_at as last_qr_used, m.is_deleted,
    coalesce(c.active_promotions, 0) as active_promotions
  from machines m left join machine_promotion_counts c on c.machine_id = m.id`;

type MachineQuery = Partial<MachineFilters> & {
  /** Anywhere in serial number or name, case-insensitive. */
  search?: string;
  /** Without it, machines that the platform no longer lists are left out. */
  includeDeleted?: boolean;
  /** By serial number when left out. */
  sort?: MachineSort;
  /** From 1; a page after the last one is the last one. */
  page: number;
  perPage: number;
};

type MachineList = {
  machines: Machine[];
  total: number;
  page: number;
  perPage: number;
  /** When the promotions were last counted: 'Last updated'; null is never. */
  countedAt: Date | null;
};

const countSql = "coalesce(c.active_promotions, 0)";

/** Expressions that the columns are sorted by; `activity` has the classes of `machineActivity`. */
const orderSql: Record<MachineSortColumn, string> = {
  serial: "m.serial_number",
  name: "lower(m.human_name)",
  active: "m.last_qr_used_at",
  promos: countSql,
  activity: `case when ${countSql} > 10 then 3 when ${countSql} >= 5 then 2
    when ${countSql} >= 1 then 1 else 0 end`,
};

/** Lists one page of the machines. There are thousands at most, so pages are plain offsets. */
export async function listMachines(input: MachineQuery): Promise<MachineList> {
  const { search = "", serialNumber = "", name = "", includeDeleted = false, perPage } = input;
  const { by, isDescending } = input.sort ?? machineList.defaultSort;
  const matches = `(m.serial_number ilike :pattern or m.human_name ilike :pattern)
    and m.serial_number ilike :serialNumber and m.human_name ilike :name
    and (:includeDeleted or not m.is_deleted)`;
  const bindings = {
    pattern: anywhere(search),
    serialNumber: anywhere(serialNumber),
    name: anywhere(name),
    includeDeleted,
  };
  const counted = await one<{ total: number; countedAt: Date | null }>(
    db(),
    `select (select count(*)::integer from machines m where ${matches}) as total,
       (select max(counted_at) from machine_promotion_counts) as counted_at`,
    bindings,
  );
  const { total, countedAt } = counted!;
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const page = Math.min(input.page, lastPage);
  const machines = await query<Machine>(
    db(),
    `${selectMachinesSql} where ${matches}
     order by ${orderSql[by]} ${isDescending ? "desc" : "asc"} nulls last, m.serial_number
     limit :perPage offset :offset`,
    { ...bindings, perPage, offset: (page - 1) * perPage },
  );
  return { machines, total, page, perPage, countedAt };
}

/** Returns a pattern for `ilike` that finds the text anywhere; '' matches all. */
function anywhere(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, "\\$&")}%`;
}

/** Lists every machine that the platform lists, by serial number. */
export async function listAllMachines(): Promise<Machine[]> {
  return query(db(), `${selectMachinesSql} where not m.is_deleted order by m.serial_number`);
}

/** Lists these machines, deleted ones too, by serial number. */
export async function listMachinesById(ids: readonly string[]): Promise<Machine[]> {
  return query(db(), `${selectMachinesSql} where m.id = any(:ids) order by m.serial_number`, {
    ids,
  });
}

/** Lists every machine that can be assigned, by serial number: deleted ones can't. */
export async function listAssignableMachines(): Promise<MachineChoice[]> {
  return query(
    db(),
    "select serial_number, human_name from machines where not is_deleted order by serial_number",
  );
}

/** Returns the machines to suggest in a field; none if there are too many. */
export async function suggestMachines(): Promise<SerialSuggestion[]> {
  const machines = await listAssignableMachines();
  return machines.length > maxSuggestions ? [] : machines;
}
