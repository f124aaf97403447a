/**
 * The machine with a serial number as somebody typed it, for behind a `from`: as it is written, or
 * else in the other case. Deleted ones too; there are thousands at most.
 */
export const machineBySerialSql = `(select * from machines
  where lower(serial_number) = lower(:serialNumber)
  order by serial_number = :serialNumber desc, id limit 1)`;
