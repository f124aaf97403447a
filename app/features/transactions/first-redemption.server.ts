import { db, one } from "../../db/connection.server";

export type FirstRedemption = { occurredAt: Date; serialNumber: string; integrationId: string };

/** Finds the first redemption with a key of an integration; sample data has none. */
export async function findFirstRedemption(): Promise<FirstRedemption | null> {
  const first = await one<FirstRedemption>(
    db(),
    `select t.created_at as occurred_at, m.serial_number, t.integration_id
     from transactions t join machines m on m.id = t.machine_id
     where t.integration_id is not null order by t.id limit 1`,
  );
  return first ?? null;
}
