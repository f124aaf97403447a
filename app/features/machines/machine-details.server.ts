import { db } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import type { Machine } from "./machine";

/** A machine as its own page shows it, deleted ones too. */
export type MachineDetails = Machine & {
  /** When the platform last heard of it (rulings 4.5). */
  lastSeen: Date | null;
  /** Since when the platform no longer lists it. */
  deletedAt: Date | null;
  /** When `activePromotions` was counted; null is never. */
  countedAt: Date | null;
  /** By name. */
  groups: { id: string; name: string }[];
};

/**
 * @param serialNumbers as they came in an address; the first that is a machine's counts
 * @throws DomainError not_found, for what can be no serial number too
 */
export async function getMachine(...serialNumbers: string[]): Promise<MachineDetails> {
  const possible = serialNumbers.filter(
    (serial) => isStorableText(serial) && !isLongerThan(serial, 100),
  );
  const { rows } = await db().raw<{ rows: MachineDetailsRow[] }>(
    `select m.id, m.serial_number, m.human_name, m.last_qr_used_at, m.last_seen_at, m.is_deleted,
       m.deleted_at, c.active_promotions, c.counted_at,
       (select coalesce(json_agg(json_build_object('id', g.id::text, 'name', g.name)
            order by g.name), '[]')
        from machine_group_members member join machine_groups g on g.id = member.group_id
        where member.machine_id = m.id) as groups
     from machines m left join machine_promotion_counts c on c.machine_id = m.id
     where m.serial_number = any(:possible)
     order by array_position(:possible, m.serial_number) limit 1`,
    { possible },
  );
  const row = rows[0];
  if (!row) throw new DomainError("not_found", "Machine not found");
  return {
    id: row.id,
    serialNumber: row.serial_number,
    humanName: row.human_name,
    lastQrUsed: row.last_qr_used_at,
    activePromotions: row.active_promotions ?? 0,
    isDeleted: row.is_deleted,
    lastSeen: row.last_seen_at,
    deletedAt: row.deleted_at,
    countedAt: row.counted_at,
    groups: row.groups,
  };
}

type MachineDetailsRow = {
  id: string;
  serial_number: string;
  human_name: string;
  last_qr_used_at: Date | null;
  last_seen_at: Date | null;
  is_deleted: boolean;
  deleted_at: Date | null;
  active_promotions: number | null;
  counted_at: Date | null;
  groups: { id: string; name: string }[];
};
