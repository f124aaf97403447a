import { db, one, query } from "../../db/connection.server";
import { machineBySerialSql } from "../machines/find-machine.server";
import type { Promotion } from "../promotions/promotion";
import {
  clockBindings,
  clockSql,
  joinGenerationSql,
  promotionColumns,
} from "../promotions/promotion-sql.server";
import { acceptanceSql } from "./acceptance.server";
import { similarCodes } from "./similar-codes";
import type { RefusalReason } from "./refusal-reason";

/** What a redemption would come to now (rulings 5.6). */
export type CodeCheck = {
  /** Null when there is no such code; deleted ones are found. */
  promotion: Promotion | null;
  /** Null when none was named, or none is called so. */
  machine: { serialNumber: string; humanName: string; isDeleted: boolean } | null;
  /** At that machine; null when none was named. */
  verdict: "accepted" | RefusalReason | null;
};

type CheckRow = { [Key in keyof Promotion]: Promotion[Key] | null } & {
  machineSerialNumber: string | null;
  machineHumanName: string | null;
  machineIsDeleted: boolean | null;
  verdict: "accepted" | RefusalReason;
};

/**
 * Looks a code up and consumes nothing. Its verdict is the expression that a redemption decides by,
 * at one moment with everything else that it says.
 * @param code 12 characters, upper-case
 * @param serialNumber as it was typed; '' asks about no machine
 * @param now only in tests
 */
export async function checkCode(
  { code, serialNumber }: { code: string; serialNumber: string },
  now: Date | null = null,
): Promise<CodeCheck> {
  const row = await one<CheckRow>(
    db(),
    `with ${clockSql}
     select ${promotionColumns},
       m.serial_number as machine_serial_number, m.human_name as machine_human_name,
       m.is_deleted as machine_is_deleted, ${acceptanceSql} as verdict
     from (select) one
       left join ${machineBySerialSql} m on true
       left join promotions p on p.code = :code
       ${joinGenerationSql}`,
    { ...clockBindings(now), code, serialNumber },
  );
  const { machineSerialNumber, machineHumanName, machineIsDeleted, verdict, ...promotion } = row!;
  return {
    promotion: promotion.id === null ? null : (promotion as Promotion),
    machine:
      machineSerialNumber === null
        ? null
        : {
            serialNumber: machineSerialNumber,
            humanName: machineHumanName!,
            isDeleted: machineIsDeleted!,
          },
    verdict: serialNumber === "" ? null : verdict,
  };
}

/** A few codes that exist and look like what was read; none where it is too far from any. */
export async function findSimilarCodes(text: string): Promise<string[]> {
  const codes = similarCodes(text);
  if (codes.length === 0) return [];
  const rows = await query<{ code: string }>(
    db(),
    "select code from promotions where code = any(:codes) order by code limit 3",
    { codes },
  );
  return rows.map(({ code }) => code);
}
