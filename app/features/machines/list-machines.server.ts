import { db } from "../../db/connection.server";
import type { Machine } from "./machine";
import type { MachineChoice } from "./machine-choices";
import {
  defaultMachineList,
  type MachineFilters,
  type MachineSort,
  type MachineSortColumn,
} from "./machine-list";

type Rows<Row> = { rows: Row[] };

type MachineRow = {
  id: string;
  serial_number: string;
  human_name: string;
  last_qr_used_at: Date | null;
  active_promotions: number;
  is_deleted: boolean;
};

const selectMachines = `
  select m.id, m.serial_number, m.human_name, m.last_qr_used_at, m.is_deleted,
    coalesce(c.active_promotions, 0) as active_promotions
  from machines m left join machine_promotion_counts c on c.machine_id = m.id`;

export type MachineQuery = Partial<MachineFilters> & {
  /** Anywhere in serial number or name, case-insensitive. */
  search?: string;
  /** core §4: machines that the platform no longer lists stay out. */
  includeDeleted?: boolean;
  /** By serial number when left out. */
  sort?: MachineSort;
  /** From 1; a page after the last one is the last one. */
  page: number;
  perPage: number;
};

export type MachineList = {
  machines: Machine[];
  total: number;
  page: number;
  perPage: number;
  /** When the promotions were last counted: 'Last updated' (rulings 4.4); null is never. */
  countedAt: Date | null;
};

const countSql = "coalesce(c.active_promotions, 0)";

/** What each column is ordered by; its classes are those of `machineActivity`. */
const orderSql: Record<MachineSortColumn, string> = {
  serial: "m.serial_number",
  name: "lower(m.human_name)",
  active: "m.last_qr_used_at",
  promos: countSql,
  activity: `case when ${countSql} > 10 then 3 when ${countSql} >= 5 then 2
    when ${countSql} >= 1 then 1 else 0 end`,
};

/** One page of the machines. There are thousands at most, so pages are plain offsets. */
export async function listMachines(query: MachineQuery): Promise<MachineList> {
  const { search = "", serialNumber = "", name = "", includeDeleted = false, perPage } = query;
  const { by, isDescending } = query.sort ?? defaultMachineList.sort;
  const matches = `(m.serial_number ilike :pattern or m.human_name ilike :pattern)
    and m.serial_number ilike :serialNumber and m.human_name ilike :name
    and (:includeDeleted or not m.is_deleted)`;
  const bindings = {
    pattern: anywhere(search),
    serialNumber: anywhere(serialNumber),
    name: anywhere(name),
    includeDeleted,
  };
  const counted = await db().raw<Rows<{ total: string; counted_at: Date | null }>>(
    `select (select count(*) from machines m where ${matches}) as total,
       (select max(counted_at) from machine_promotion_counts) as counted_at`,
    bindings,
  );
  const { total, counted_at } = counted.rows[0]!;
  const lastPage = Math.max(1, Math.ceil(Number(total) / perPage));
  const page = Math.min(query.page, lastPage);
  const { rows } = await db().raw<Rows<MachineRow>>(
    `${selectMachines} where ${matches}
     order by ${orderSql[by]} ${isDescending ? "desc" : "asc"} nulls last, m.serial_number
     limit :perPage offset :offset`,
    { ...bindings, perPage, offset: (page - 1) * perPage },
  );
  const machines = rows.map(toMachine);
  return { machines, total: Number(total), page, perPage, countedAt: counted_at };
}

/** A pattern for `ilike`; '' matches all. */
function anywhere(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, "\\$&")}%`;
}

function toMachine(row: MachineRow): Machine {
  return {
    id: row.id,
    serialNumber: row.serial_number,
    humanName: row.human_name,
    lastQrUsed: row.last_qr_used_at,
    activePromotions: row.active_promotions,
    isDeleted: row.is_deleted,
  };
}

/** Every machine that the platform lists, by serial number. */
export async function listAllMachines(): Promise<Machine[]> {
  const { rows } = await db().raw<Rows<MachineRow>>(
    `${selectMachines} where not m.is_deleted order by m.serial_number`,
  );
  return rows.map(toMachine);
}

/** These machines, deleted ones too, by serial number. */
export async function listMachinesById(ids: readonly string[]): Promise<Machine[]> {
  const { rows } = await db().raw<Rows<MachineRow>>(
    `${selectMachines} where m.id = any(:ids) order by m.serial_number`,
    { ids: [...ids] },
  );
  return rows.map(toMachine);
}

/** Every machine that a promotion can be assigned to, by serial number (core §4). */
export async function listAssignableMachines(): Promise<MachineChoice[]> {
  return db()("machines")
    .where({ is_deleted: false })
    .orderBy("serial_number")
    .select({ serialNumber: "serial_number", humanName: "human_name" });
}
