import { query, type Database } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { isLongerThan, isStorableText } from "../../forms/storable-text";

/**
 * The machine with a serial number as somebody typed it, for behind a `from`: as it is written, or
 * else in the other case. Deleted ones too; there are thousands at most.
 */
export const machineBySerialSql = `(select * from machines
  where lower(serial_number) = lower(:serialNumber)
  order by serial_number = :serialNumber desc, id limit 1)`;

/** Whether a text can be compared with serial numbers. */
export function canBeSerial(text: string): boolean {
  return text !== "" && isStorableText(text) && !isLongerThan(text, 100);
}

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
  const message = `Not available: ${unknown.slice(0, 3).join(", ")}${more}. ${consequence}`;
  throw new DomainError("invalid", message, { machines: message });
}
