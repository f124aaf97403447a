import { db, query } from "../../db/connection.server";
import {
  type Assigned,
  type AssignedGroup,
  type AssignedMachine,
  type Effective,
  type EffectiveMachine,
  maxMachinesListed,
} from "./assigned";

/** Reads what a set contains, and which machines accept its codes. */
export async function readAssigned(setId: string): Promise<Assigned> {
  const [machines, groups, effective] = await Promise.all([
    readMachines(setId),
    readGroups(setId),
    readEffective(setId),
  ]);
  return { machines, groups, effective };
}

async function readMachines(setId: string): Promise<AssignedMachine[]> {
  return query<AssignedMachine>(
    db(),
    `select m.serial_number, m.human_name, m.is_deleted
     from assignments a join machines m on m.id = a.machine_id
     where a.set_id = :setId order by m.serial_number`,
    { setId },
  );
}

async function readGroups(setId: string): Promise<AssignedGroup[]> {
  return query<AssignedGroup>(
    db(),
    `select g.id, g.name, g.kind, (
       select count(*) from machine_group_members member
         join machines m on m.id = member.machine_id and not m.is_deleted
       where member.group_id = g.id)::integer as machine_count
     from assignments a join machine_groups g on g.id = a.group_id
     where a.set_id = :setId order by lower(g.name), g.id`,
    { setId },
  );
}

/** Reads the members that groups have now; a machine that joins later counts at once. */
async function readEffective(setId: string): Promise<Effective> {
  const rows = await query<EffectiveMachine & { total: number; directCount: number }>(
    db(),
    `with effective as (
       select e.machine_id, bool_or(e.via_group is null) as is_direct,
         coalesce(array_agg(g.name order by lower(g.name), g.name)
           filter (where g.id is not null), '{}') as groups
       from effective_machines e left join machine_groups g on g.id = e.via_group
       where e.set_id = :setId group by e.machine_id
     )
     select m.serial_number, m.human_name, e.is_direct, e.groups,
       (count(*) over ())::integer as total,
       (count(*) filter (where e.is_direct) over ())::integer as direct_count
     from effective e join machines m on m.id = e.machine_id
     order by m.serial_number limit ${maxMachinesListed}`,
    { setId },
  );
  return {
    count: rows[0]?.total ?? 0,
    directCount: rows[0]?.directCount ?? 0,
    shown: rows.map(({ total: _total, directCount: _directCount, ...machine }) => machine),
  };
}
