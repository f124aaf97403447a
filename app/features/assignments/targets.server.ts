import { listAssignableMachines } from "../machines/machines.server";
import { listGroupChoices } from "../machines/machine-groups.server";
import { db, one, query } from "../../db/connection.server";
import type { Assigned } from "./assigned";
import { parseRecordId } from "../../forms/record-id";
import {
  assignedTargets,
  type ChosenTargets,
  groupTarget,
  layOutPickers,
  machineTarget,
  type Picker,
  type Target,
  type TargetKind,
} from "./targets";

/** Everything that a code can be assigned to: machines by serial number, the rest by name. */
const assignable = {
  machine: async () => (await listAssignableMachines()).map(machineTarget),
  group: async () => (await listGroupChoices()).map(groupTarget),
};

type Sources = Partial<Record<TargetKind, () => Promise<Target[]>>>;

/**
 * Lists what can be chosen in a form, as its fields leave it.
 * @param options.assigned what the form adds targets to
 * @param options.sources replaces what can be chosen
 */
export async function loadPickers(
  fields: FormData | URLSearchParams,
  { assigned, sources = assignable }: { assigned?: Assigned; sources?: Sources } = {},
): Promise<Picker[]> {
  const lists = await Promise.all(
    Object.entries(sources).map(async ([kind, list]) => [kind, await list()] as const),
  );
  return layOutPickers(Object.fromEntries(lists), fields, assigned && assignedTargets(assigned));
}

/**
 * Reads machines and groups that were chosen before: those that are still there, the first of the machines by name, and
 * the number of machines that would accept a code.
 */
export async function readChosen({ machines, groups }: ChosenTargets, maxNames: number) {
  const isChosenSql = "serial_number = any(:machines) and not is_deleted";
  const row = await one<{
    machines: string[];
    directCount: number;
    groups: string[];
    machineCount: number;
  }>(
    db(),
    `select array(select coalesce(nullif(human_name, ''), serial_number) from machines
         where ${isChosenSql} order by serial_number limit :maxNames) as machines,
       (select count(*) from machines where ${isChosenSql})::integer as direct_count,
       array(select name from machine_groups where id = any(cast(:groups as bigint[])) order by lower(name), id) as groups,
       (select count(*) from machines m where not m.is_deleted and (m.serial_number = any(:machines)
         or exists (select from machine_group_members member where member.machine_id = m.id
           and member.group_id = any(cast(:groups as bigint[])))))::integer as machine_count`,
    { machines, groups: groups.filter((id) => parseRecordId(id) !== null), maxNames },
  );
  return row!;
}

/** Reads what a set contains, and which machines accept its codes. */
export async function readAssigned(setId: string): Promise<Assigned> {
  const [machines, groups, effective] = await Promise.all([
    query<Assigned["machines"][number]>(
      db(),
      `select m.serial_number, m.human_name, m.is_deleted
       from assignments a join machines m on m.id = a.machine_id
       where a.set_id = :setId order by m.serial_number`,
      { setId },
    ),
    query<Assigned["groups"][number]>(
      db(),
      `select g.id, g.name, g.kind, (
         select count(*) from machine_group_members member
           join machines m on m.id = member.machine_id and not m.is_deleted
         where member.group_id = g.id)::integer as machine_count
       from assignments a join machine_groups g on g.id = a.group_id
       where a.set_id = :setId order by lower(g.name), g.id`,
      { setId },
    ),
    one<Assigned["effective"]>(
      db(),
      `select count(*)::integer as count, (count(*) filter (where is_direct))::integer as direct_count
       from (select bool_or(via_group is null) as is_direct from effective_machines
         where set_id = :setId group by machine_id) effective`,
      { setId },
    ),
  ]);
  return { machines, groups, effective: effective! };
}
