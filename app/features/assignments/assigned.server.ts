import { db } from "../../db/connection.server";
import {
  type Assigned,
  type AssignedGroup,
  type AssignedMachine,
  type Effective,
  type EffectiveMachine,
  maxMachinesListed,
} from "./assigned";
import type { AssignmentOwner } from "./assignments.server";

type Rows<Row> = { rows: Row[] };

/** What a promotion or a generation is assigned to, and which machines that makes. */
export async function readAssigned(holder: AssignmentOwner): Promise<Assigned> {
  const [machines, groups, effective] = await Promise.all([
    readMachines(holder),
    readGroups(holder),
    readEffective(holder),
  ]);
  return { machines, groups, effective };
}

const rowsOf = ({ kind }: AssignmentOwner) => `${kind}_assignments a where a.${kind}_id = :id`;

async function readMachines(holder: AssignmentOwner): Promise<AssignedMachine[]> {
  const { rows } = await db().raw<Rows<AssignedMachine>>(
    `select m.serial_number as "serialNumber", m.human_name as "humanName",
       m.is_deleted as "isDeleted"
     from machines m where m.id in (select a.machine_id from ${rowsOf(holder)})
     order by m.serial_number`,
    { id: holder.id },
  );
  return rows;
}

async function readGroups(holder: AssignmentOwner): Promise<AssignedGroup[]> {
  const { rows } = await db().raw<Rows<AssignedGroup>>(
    `select g.id, g.name, g.kind, (
       select count(*) from machine_group_members member
         join machines m on m.id = member.machine_id and not m.is_deleted
       where member.group_id = g.id)::integer as "machineCount"
     from machine_groups g where g.id in (select a.group_id from ${rowsOf(holder)})
     order by lower(g.name), g.id`,
    { id: holder.id },
  );
  return rows;
}

/** Through groups as they are now: who joins one later is in it at once. */
async function readEffective(holder: AssignmentOwner): Promise<Effective> {
  const { rows } = await db().raw<
    Rows<EffectiveMachine & { total: number; by_themselves: number }>
  >(
    `with assigned as (
       select a.machine_id, a.group_id from ${rowsOf(holder)}
     ), ways as (
       select machine_id, null::text as group_name from assigned where machine_id is not null
       union all
       select member.machine_id, g.name from assigned
         join machine_groups g on g.id = assigned.group_id
         join machine_group_members member on member.group_id = g.id
     ), effective as (
       select machine_id, bool_or(group_name is null) as by_itself,
         array_agg(group_name order by lower(group_name), group_name)
           filter (where group_name is not null) as groups
       from ways group by machine_id
     )
     select m.serial_number as "serialNumber", m.human_name as "humanName",
       e.by_itself as "isDirect", coalesce(e.groups, '{}') as groups,
       (count(*) over ())::integer as total,
       (count(*) filter (where e.by_itself) over ())::integer as by_themselves
     from effective e join machines m on m.id = e.machine_id and not m.is_deleted
     order by m.serial_number limit ${maxMachinesListed}`,
    { id: holder.id },
  );
  return {
    count: rows[0]?.total ?? 0,
    directCount: rows[0]?.by_themselves ?? 0,
    shown: rows.map(({ serialNumber, humanName, isDirect, groups }) => ({
      serialNumber,
      humanName,
      isDirect,
      groups,
    })),
  };
}
