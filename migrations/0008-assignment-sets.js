/**
 * Stores once what a promotion or a mass generation is assigned to. Each of them has a set of
 * machines and groups; the codes of a generation point to the set of their generation until one of
 * them is edited alone and gets a set of its own. `is_assigned` is a column of the set, so that the
 * first or the last assignment of 100,000 codes writes one row.
 *
 * The sets of promotions take the ids of their promotions and those of generations follow them. The
 * column of a million promotions is then filled by one rewrite of the table instead of an update,
 * which would write every index entry by entry.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  const { rows } = await knex.raw("select coalesce(max(id), 0) as highest from promotions");
  const generationSetId = `${BigInt(rows[0].highest)} + id`;
  await knex.raw(`
    -- copied_from is the set of its generation, for the set of a code that was edited alone.
    create table assignment_sets (
      id bigint generated always as identity primary key,
      is_assigned boolean not null default false,
      copied_from bigint references assignment_sets
    );

    create table assignments (
      set_id bigint not null references assignment_sets on delete cascade,
      machine_id bigint references machines,
      group_id bigint references machine_groups on delete cascade,
      created_at timestamptz not null default now(),
      check (num_nonnulls(machine_id, group_id) = 1),
      unique nulls not distinct (set_id, machine_id, group_id)
    );

    -- The set of a row that names none, so that nothing is ever without one.
    create function new_assignment_set() returns bigint language sql as
      'insert into assignment_sets default values returning id';

    insert into assignment_sets (id, copied_from) overriding system value
      select id, ${generationSetId.replace(/id$/, "mass_generation_id")}
      from promotions where has_own_machines
      union all
      select ${generationSetId}, null from mass_generations;
    select setval(pg_get_serial_sequence('assignment_sets', 'id'), max(id)) from assignment_sets
      having max(id) is not null;

    insert into assignments (set_id, machine_id, group_id, created_at)
      select a.promotion_id, a.machine_id, a.group_id, a.created_at
      from promotion_assignments a join promotions p on p.id = a.promotion_id
      where p.has_own_machines
      order by a.promotion_id, a.machine_id, a.group_id;
    insert into assignments (set_id, machine_id, group_id, created_at)
      select ${generationSetId}, machine_id, group_id, created_at
      from (select mass_generation_id as id, machine_id, group_id, created_at
        from mass_generation_assignments) shared
      order by id, machine_id, group_id;
    drop table promotion_assignments, mass_generation_assignments;

    update assignment_sets set is_assigned = true where id in (select set_id from assignments);
    create index assignment_sets_not_assigned on assignment_sets (id) where not is_assigned;
    create index assignment_sets_copies on assignment_sets (copied_from)
      where copied_from is not null;
    create index assignments_machine on assignments (machine_id, set_id desc)
      where machine_id is not null;
    create index assignments_group on assignments (group_id, set_id desc)
      where group_id is not null;

    alter table mass_generations
      drop column is_assigned,
      add column set_id bigint generated always as (${generationSetId}) stored;
    alter table mass_generations
      alter column set_id drop expression,
      alter column set_id set not null,
      alter column set_id set default new_assignment_set(),
      add unique (set_id),
      add foreign key (set_id) references assignment_sets;

    drop index promotions_edited_alone, promotions_not_assigned, promotions_of_generation;
    alter table promotions
      add column set_id bigint generated always as (
        case when has_own_machines then id
          else ${generationSetId.replace(/id$/, "mass_generation_id")} end) stored;
    alter table promotions alter column set_id drop expression;
    alter table promotions
      drop column is_assigned,
      drop column has_own_machines,
      alter column set_id set not null,
      alter column set_id set default new_assignment_set(),
      add foreign key (set_id) references assignment_sets;
    -- Measured against (set_id, id desc): the list reads generations in the order of their creation,
    -- and counts of codes that can be redeemed pass over expired generations.
    create index promotions_set on promotions (set_id, coalesce(expires_at, 'infinity'));
    create index promotions_of_generation on promotions (mass_generation_id, created_at desc, id desc)
      include (is_deleted, set_id, is_active, expires_at)
      where not is_deleted and mass_generation_id is not null;

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
