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
import { codeAlphabet, codeLength } from "../promotions/code";

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
 * @param input.code upper-case, without dashes
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

/** Characters that look alike in print or in handwriting. */
const lookalikes = [
  "8B",
  "5S",
  "2Z",
  "6G",
  "UV",
  "7T",
  "DQ",
  "NM",
  "0O",
  "0D",
  "0Q",
  "OD",
  "OQ",
  "1I",
  "1L",
  "IL",
];

/** Characters that no code contains which was made here: a similar one was printed. */
const misread = "0O1IL";

/** Counts as another code beyond this number of mistakes. */
const maxMistakes = 2;

/**
 * Returns the codes that may have been misread as `text`, with one or two characters mistaken for
 * others. Returns none if the text is too far from any code.
 */
export function similarCodes(text: string): string[] {
  const read = text.toUpperCase().replace(/[\s\p{Dash_Punctuation}]/gu, "");
  if (!/^[0-9A-Z]{8,32}$/.test(read)) return [];
  const misreadCount = [...read].filter((character) => misread.includes(character)).length;
  const mayBeOwn =
    read.length === codeLength && misreadCount > 0 && misreadCount <= maxMistakes
      ? variants(read, (character) => (misread.includes(character) ? [...codeAlphabet] : []))
      : [];
  const codes = new Set([...mayBeOwn, ...variants(read, likenessesOf)]);
  codes.delete(read);
  return [...codes];
}

/** Returns a code with at most two characters replaced by others. */
function variants(read: string, othersOf: (character: string) => string[]): string[] {
  let candidates = [{ code: "", mistakes: 0 }];
  for (const character of read)
    candidates = candidates.flatMap(({ code, mistakes }) => [
      { code: code + character, mistakes },
      ...(mistakes === maxMistakes
        ? []
        : othersOf(character).map((other) => ({ code: code + other, mistakes: mistakes + 1 }))),
    ]);
  return candidates.map(({ code }) => code);
}

function likenessesOf(character: string): string[] {
  return lookalikes
    .filter((pair) => pair.includes(character))
    .map((pair) => pair.replace(character, ""));
}
