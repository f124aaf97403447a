import { db, one, query } from "../../db/connection.server";
import type { Promotion } from "../promotions/promotion";
import {
  clockBindings,
  clockSql,
  joinGenerationSql,
  promotionColumns,
} from "../promotions/promotion-sql.server";
import type { ReachableCap } from "../caps/cap";
import { joinCapsSql } from "../caps/cap-sql.server";
import { acceptanceAtAnyPriceSql, reachedCapAtAnyPriceSql } from "./redemption-sql.server";
import type { RefusalReason } from "./refusal-reason";
import { codeAlphabet } from "../promotions/code";

/** Outcome that a redemption would have now. */
export type CodeCheck = {
  /** Null when there is no such code; deleted ones are candidates. */
  promotion: Promotion | null;
  /** Null when no serial number was named, or no machine has exactly that one. */
  machine: { serialNumber: string; humanName: string; isDeleted: boolean } | null;
  /** Serial number that differs from the named one in case only, when no machine has that one. */
  similarSerial: string | null;
  /** Outcome at that machine; null when none was named. */
  verdict: "accepted" | RefusalReason | null;
  /** The cap that is reached, whatever machine was named. */
  cap: ReachableCap | null;
};

type CheckRow = { [Key in keyof Promotion]: Promotion[Key] | null } & {
  machine: CodeCheck["machine"];
  similarSerial: string | null;
  verdict: "accepted" | RefusalReason;
  cap: ReachableCap | null;
};

/**
 * Looks a code up and consumes nothing. The verdict is the expression that a redemption decides by,
 * evaluated in the same statement as everything else that is returned.
 * @param input.code 12 characters, upper-case
 * @param input.serialNumber compared exactly, as a redemption does; '' asks about no machine
 * @param now only tests pass one
 */
export async function checkCode(
  { code, serialNumber }: { code: string; serialNumber: string },
  now: Date | null = null,
): Promise<CodeCheck> {
  const row = await one<CheckRow>(
    db(),
    `with ${clockSql}
     select ${promotionColumns}, ${acceptanceAtAnyPriceSql} as verdict, ${reachedCapAtAnyPriceSql} as cap,
       case when m.id is not null then json_build_object('serialNumber', m.serial_number,
         'humanName', m.human_name, 'isDeleted', m.is_deleted) end as machine,
       case when m.id is null then (
         select serial_number from machines where lower(serial_number) = lower(:serialNumber)
         order by is_deleted, id limit 1) end as similar_serial
     from (select) one
       left join machines m on m.serial_number = :serialNumber
       left join promotions p on p.code = :code
       ${joinGenerationSql}
       ${joinCapsSql}`,
    { ...clockBindings(now), code, serialNumber },
  );
  const { machine, similarSerial, verdict, cap, ...promotion } = row!;
  return {
    promotion: promotion.id === null ? null : (promotion as Promotion),
    machine,
    similarSerial,
    verdict: serialNumber === "" ? null : verdict,
    cap,
  };
}

/** Returns up to three existing codes that look like a text, or none if it is too far from any. */
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

/** Characters that look alike in print or in handwriting, all of them in codes. */
const lookalikes = ["8B", "5S", "2Z", "6G", "UV", "7T", "DQ", "NM"];

/** Characters that no code contains: a similar one was printed. */
const misread = "0O1IL";

/** Counts as another code beyond this number of mistakes in twelve characters. */
const maxMistakes = 2;

/**
 * Returns the codes that may have been misread as `text`, with one or two characters mistaken for
 * others. Returns none if the text is too far from any code.
 */
export function similarCodes(text: string): string[] {
  const read = text.toUpperCase().replace(/[\s\p{Dash_Punctuation}]/gu, "");
  if (!/^[0-9A-Z]{12}$/.test(read)) return [];
  const misreadCount = [...read].filter((character) => misread.includes(character)).length;
  if (misreadCount > maxMistakes) return [];
  let candidates = [{ code: "", mistakes: 0 }];
  for (const character of read) {
    const isMisread = misread.includes(character);
    const others = isMisread ? [...codeAlphabet] : misreadCount > 0 ? [] : likenessesOf(character);
    candidates = candidates.flatMap(({ code, mistakes }) => [
      ...(isMisread ? [] : [{ code: code + character, mistakes }]),
      ...(mistakes === maxMistakes
        ? []
        : others.map((other) => ({ code: code + other, mistakes: mistakes + 1 }))),
    ]);
  }
  return candidates.map(({ code }) => code).filter((code) => code !== read);
}

function likenessesOf(character: string): string[] {
  return lookalikes
    .filter((pair) => pair.includes(character))
    .map((pair) => pair.replace(character, ""));
}
