import { db } from "../../db/connection.server";
import { machineBySerialSql } from "../machines/find-machine.server";
import type { Promotion } from "../promotions/promotion";
import {
  clockBindings,
  clockSql,
  joinGenerationSql,
  promotionColumns,
  toPromotion,
  type PromotionRow,
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

type CheckRow = { [Column in keyof PromotionRow]: PromotionRow[Column] | null } & {
  machine_serial_number: string | null;
  machine_human_name: string | null;
  machine_is_deleted: boolean | null;
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
  const { rows } = await db().raw<{ rows: CheckRow[] }>(
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
  const row = rows[0]!;
  return {
    promotion: row.id === null ? null : toPromotion(row as PromotionRow),
    machine:
      row.machine_serial_number === null
        ? null
        : {
            serialNumber: row.machine_serial_number,
            humanName: row.machine_human_name!,
            isDeleted: row.machine_is_deleted!,
          },
    verdict: serialNumber === "" ? null : row.verdict,
  };
}

/** A few codes that exist and look like what was read; none where it is too far from any. */
export async function findSimilarCodes(text: string): Promise<string[]> {
  const codes = similarCodes(text);
  if (codes.length === 0) return [];
  const { rows } = await db().raw<{ rows: { code: string }[] }>(
    "select code from promotions where code = any(:codes) order by code limit 3",
    { codes },
  );
  return rows.map(({ code }) => code);
}
