/**
 * What promotions and mass generations are assigned to, stored once: each of them has a set of machines and groups.
 * The codes of a generation point to the set of their generation until one of them is edited alone and gets a set of
 * its own. The first or the last assignment of 100,000 codes writes one row.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- copied_from is the set of its generation, for the set of a code that was edited alone.
    create table assignment_sets (
      id bigint generated always as identity primary key,
      is_assigned boolean not null default false,
      copied_from bigint references assignment_sets
    );
    create index assignment_sets_not_assigned on assignment_sets (id) where not is_assigned;
    create index assignment_sets_copies on assignment_sets (copied_from) where copied_from is not null;

    -- The set of a row that names none, so that nothing is ever without one.
    create function new_assignment_set() returns bigint language sql as
      'insert into assignment_sets default values returning id';

    create table assignments (
      set_id bigint not null references assignment_sets on delete cascade,
      machine_id bigint references machines,
      group_id bigint references machine_groups on delete cascade,
      created_at timestamptz not null default now(),
      check (num_nonnulls(machine_id, group_id) = 1),
      unique nulls not distinct (set_id, machine_id, group_id)
    );
    create index assignments_machine on assignments (machine_id, set_id desc) where machine_id is not null;
    create index assignments_group on assignments (group_id, set_id desc) where group_id is not null;

    -- Machines of a set, deleted ones too. via_group is null for those that are assigned directly.
    create view assigned_machines as
      select set_id, machine_id, cast(null as bigint) as via_group
      from assignments where machine_id is not null
      union all
      select a.set_id, member.machine_id, a.group_id
      from assignments a join machine_group_members member on member.group_id = a.group_id
      where a.machine_id is null;

    -- Machines that accept the codes of a set. One that is in several groups has several rows.
    create view effective_machines as
      select assigned.set_id, assigned.machine_id, assigned.via_group
      from assigned_machines assigned join machines m on m.id = assigned.machine_id
      where not m.is_deleted;
  `);
}
