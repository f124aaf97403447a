import { db } from "../../db/connection.server";
import { codeLength } from "../promotions/code";

const pageSize = 10_000;

/**
 * The codes of a generation in the order they were made in, which never changes; deleted and
 * deactivated ones too. Read in pages: nothing is held open while a client takes its time.
 * @param first how many to pass over
 */
export async function* codesOfGeneration(
  generationId: string,
  { first = 0, count = Infinity }: { first?: number; count?: number } = {},
): AsyncGenerator<string[]> {
  let left = count;
  let after = "0";
  let passOver = first;
  while (left > 0) {
    const most = Math.min(left, pageSize);
    const page = await readPage(generationId, { after, passOver, most });
    const codes = page.codes.match(/.{12}/g) ?? [];
    if (codes.length > 0) yield codes;
    if (codes.length < most) return;
    left -= most;
    after = page.lastId;
    passOver = 0;
  }
}

/** The codes of a generation at any place, 12 bytes each: a million of them take 12 MB. */
export type PackedCodes = {
  /** Waits for the codes [first, end). */
  load(first: number, end: number): Promise<void>;
  /** Returns a code that is loaded. */
  at(index: number): string;
  copy(index: number, target: Buffer, offset: number): void;
};

/** @param count of all codes of the generation */
export function packedCodes(generationId: string, count: number): PackedCodes {
  let packed = Buffer.alloc(0);
  /** The last id of each page that was asked for. */
  const lastIds = new Map<number, Promise<string>>();

  async function readInto(page: number): Promise<string> {
    const before = await lastIds.get(page - 1);
    const first = page * pageSize;
    const most = Math.min(pageSize, count - first);
    const from = before ? { after: before, passOver: 0 } : { after: "0", passOver: first };
    const { codes, lastId } = await readPage(generationId, { ...from, most });
    if (codes.length !== most * codeLength)
      throw new Error(`Codes of the mass generation ${generationId} are missing`);
    if (packed.length === 0) packed = Buffer.alloc(count * codeLength);
    packed.write(codes, first * codeLength, "latin1");
    return lastId;
  }

  return {
    async load(first, end) {
      for (let page = Math.floor(first / pageSize); page * pageSize < end; page++) {
        const known = lastIds.get(page) ?? readInto(page);
        lastIds.set(page, known);
        await known;
      }
    },
    at: (index) => packed.toString("latin1", index * codeLength, (index + 1) * codeLength),
    copy(index, target, offset) {
      packed.copy(target, offset, index * codeLength, (index + 1) * codeLength);
    },
  };
}

/**
 * The codes as one text, without anything between them: as rows they would cost the event loop ten
 * times as much. Rows behind (generation, id) rather than rows of the generation: so the planner has
 * only the index in this order, and never walks or sorts all promotions for one page.
 */
async function readPage(
  generationId: string,
  { after, passOver, most }: { after: string; passOver: number; most: number },
): Promise<{ codes: string; lastId: string }> {
  const { rows } = await db().raw<{ rows: { codes: string; last_id: string }[] }>(
    `select coalesce(string_agg(code, '' order by id), '') as codes, max(id) as last_id
     from (
       select mass_generation_id, id, code from promotions
       where mass_generation_id is not null
         and (mass_generation_id, id) > (cast(:generationId as bigint), cast(:after as bigint))
       order by mass_generation_id, id limit :most offset :passOver
     ) page
     where mass_generation_id = :generationId`,
    { generationId, after, most, passOver },
  );
  return { codes: rows[0]!.codes, lastId: rows[0]!.last_id };
}
