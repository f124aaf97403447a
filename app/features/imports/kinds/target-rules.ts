const moreSql = "case when absent.more > 0 then ' and ' || absent.more || ' more' else '' end";

/** Unknown and deleted machines are the same to an import. */
export const machineRule = `
  select r.line, 'Not available: machine ' || absent.serial || ${moreSql} as reason
  from import_rows r cross join lateral (
    select min(named.serial) as serial, count(*) - 1 as more from unnest(r.machine_serials) as named (serial)
    where not exists (select from machines m where m.serial_number = named.serial and not m.is_deleted)) absent
  where r.import_id = :importId and r.machine_serials <> '{}' and absent.serial is not null`;

export const groupRule = `
  select r.line, 'Not available: machine group ' || absent.name || ${moreSql} as reason
  from import_rows r cross join lateral (
    select min(named.name) as name, count(*) - 1 as more from unnest(r.group_names) as named (name)
    where not exists (select from machine_groups g where lower(g.name) = lower(named.name))) absent
  where r.import_id = :importId and r.group_names <> '{}' and absent.name is not null`;
