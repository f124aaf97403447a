import { db, one } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import type { Machine } from "./machine";

/** A machine as its own page shows it, deleted ones too. */
export type MachineDetails = Machine & {
  /** When the platform last heard of it. */
  lastSeen: Date | null;
  /** When the platform stopped listing it. */
  deletedAt: Date | null;
  /** When `activePromotions` was counted; null is never. */
  countedAt: Date | null;
  /** Sorted by name. */
  groups: { id: string; name: string }[];
};

/**
 * Returns the first machine that has one of these serial numbers.
 * @param serialNumbers as they came in a URL
 * @throws DomainError not_found, also for malformed serial numbers
 */
export async function getMachine(...serialNumbers: string[]): Promise<MachineDetails> {
  const machine = await one<MachineDetails>(
    db(),
    `select m.id, m.serial_number, m.human_name, m.last_qr_used_at as last_qr_used,
       m.last_seen_at as last_seen, m.is_deleted, m.deleted_at,
       coalesce(c.active_promotions, 0) as active_promotions, c.counted_at,
       (select coalesce(json_agg(json_build_object('id', g.id::text, 'name', g.name)
            order by g.name), '[]')
        from machine_group_members member join machine_groups g on g.id = member.group_id
        where member.machine_id = m.id) as groups
     from machines m left join machine_promotion_counts c on c.machine_id = m.id
     where m.serial_number = any(:possible)
     order by array_position(:possible, m.serial_number) limit 1`,
    {
      possible: serialNumbers.filter(
        (serial) => isStorableText(serial) && !isLongerThan(serial, 100),
      ),
    },
  );
  if (!machine) throw new DomainError("not_found", "Machine not found");
  return machine;
}
