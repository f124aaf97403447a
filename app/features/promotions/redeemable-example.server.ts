import { db, one } from "../../db/connection.server";
import {
  clockBindings,
  clockSql,
  isOpenSql,
  joinGenerationSql,
  joinedStatusSql,
} from "./promotion-sql.server";

/**
 * Finds a code that a machine accepts now, among the newest ones, for an example that works.
 * @returns null if there is none
 */
export async function findRedeemable(): Promise<{ code: string; serialNumber: string } | null> {
  const found = await one<{ code: string; serialNumber: string }>(
    db(),
    `with ${clockSql}
     select p.code, at_machine.serial_number
     from (select * from promotions where not is_deleted order by created_at desc, id desc limit 100) p
       ${joinGenerationSql}
       cross join lateral (
         select m.serial_number from effective_machines e join machines m on m.id = e.machine_id
         where e.set_id = p.set_id and not m.is_deleted order by m.serial_number limit 1) at_machine
     where ${joinedStatusSql} = 'active' and ${isOpenSql}
     order by p.created_at desc, p.id desc limit 1`,
    clockBindings(),
  );
  return found ?? null;
}
