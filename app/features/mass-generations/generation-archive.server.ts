/** A mass generation as a ZIP (RULES C5): a QR image for each code, and the list of them. */
import { createHash } from "node:crypto";
import { db, one } from "../../db/connection.server";
import { environment } from "../../env.server";
import { byteOrderMark, csvLine } from "../../codec/csv.server";
import { formatDiscount } from "../../format/promotion";
import { codeLength } from "../promotions/code";
import { qrEncoder } from "../../codec/qr-encoder.server";
import { qrImageTag } from "../../codec/qr-image.server";
import { bytesOf, sizeOf, type ByteRange, type Section } from "../../codec/seekable-file.server";
import { storeZip, whole, type SmallFiles } from "../../codec/store-zip.server";
import { getAddedCodes } from "./add-codes.server";
import { getUndeletedGeneration, type MassGeneration } from "./mass-generation.server";

/** Facts about a generation that its archive contains, all of them in its tag. */
type ArchivedGeneration = Pick<
  MassGeneration,
  "id" | "name" | "numCodes" | "discountType" | "discountValue" | "codeLengths"
>;

/** Places of codes in the whole archive, from 1. */
type Places = { from: number; to: number };

/**
 * @param addedId chooses codes that were added together; null has all
 * @throws DomainError not_found; conflict: it is deleted
 */
export async function generationArchive(massGenerationId: string, addedId: string | null = null) {
  const generation = await getUndeletedGeneration(massGenerationId);
  const { id } = generation;
  const places = addedId === null ? undefined : await getAddedCodes(db(), id, addedId);
  const { qrPayload } = environment();
  const sections = layOut(generation, qrPayload, places);
  return {
    fileName: `mass_generation_${id}${places ? `_${places.from}-${places.to}` : ""}.zip`,
    size: sizeOf(sections),
    tag: archiveTag(generation, qrPayload, places),
    bytes: (range?: ByteRange) => bytesOf(sections, range),
  };
}

/** Returns the exact size in bytes, without reading the codes. */
export function archiveSize(generation: ArchivedGeneration): number {
  return sizeOf(layOut(generation, environment().qrPayload));
}

function layOut(
  generation: ArchivedGeneration,
  template: string,
  places: Places = { from: 1, to: generation.numCodes },
): Section[] {
  const { id, name, numCodes, codeLengths, discountType, discountValue } = generation;
  const lengths = lengthsOf(codeLengths ?? [[codeLength, numCodes]], places);
  const codes = packedCodes(id, lengths, places.from - 1);
  const ending = Buffer.from(".png");
  const restOfLine = Buffer.from(csvLine(["", name, formatDiscount(discountType, discountValue)]));
  const runs = codes.runs.map(({ first, length, count }) => {
    const encoder = qrEncoder(template, length);
    const prepare = (from: number, end: number) => codes.load(first + from, first + end);
    const writeCodeAnd = (rest: Buffer) => (index: number, target: Buffer, offset: number) => {
      codes.copy(first + index, target, offset);
      target.set(rest, offset + length);
    };
    const images: SmallFiles = {
      count,
      prepare,
      size: encoder.pngSize,
      nameSize: length + ending.length,
      writeName: writeCodeAnd(ending),
      writeContent: (index, target, offset) =>
        encoder.writePng(codes.at(first + index), target, offset),
    };
    const lines: Section = {
      count,
      prepare,
      size: length + restOfLine.length,
      write: writeCodeAnd(restOfLine),
    };
    return { images, lines };
  });
  const heading = whole(Buffer.from(byteOrderMark + csvLine(["Code", "Name", "Discount"])));
  return storeZip(
    runs.map(({ images }) => images),
    { name: "codes.csv", content: [heading, ...runs.map(({ lines }) => lines)] },
  );
}

/** Returns the lengths of the codes at some places. */
function lengthsOf(lengths: readonly (readonly [number, number])[], { from, to }: Places) {
  let before = 0;
  return lengths.flatMap(([length, count]): [number, number][] => {
    const first = Math.max(from - before, 1);
    const last = Math.min(to - before, count);
    before += count;
    return last < first ? [] : [[length, last - first + 1]];
  });
}

/** Identifies the bytes by everything that they depend on; the id and the places stand for the codes. */
function archiveTag(generation: ArchivedGeneration, template: string, places?: Places): string {
  const { id, name, numCodes, discountType, discountValue } = generation;
  const fields = { id, name, numCodes, discountType, discountValue };
  const { from, to } = places ?? {};
  const content = JSON.stringify(["archive 1", qrImageTag(template), fields, from, to]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

const pageSize = 10_000;

/**
 * Codes of a generation in the order in which they were made, deleted ones included. They are read in pages: nothing is
 * held open while a client takes its time.
 * @param lengths of the codes in their order, each with the number of codes
 * @param skipped codes before the first one
 */
export function packedCodes(
  generationId: string,
  lengths: readonly (readonly [number, number])[],
  skipped = 0,
) {
  const runs: { length: number; count: number; first: number; offset: number }[] = [];
  let [total, bytes] = [0, 0];
  for (const [length, count] of lengths) {
    runs.push({ length, count, first: total, offset: bytes });
    total += count;
    bytes += count * length;
  }
  let packed = Buffer.alloc(0);
  /** The last id of each page that was asked for. */
  const lastIds = new Map<number, Promise<string>>();

  const runOf = (index: number) => runs.findLast(({ first }) => first <= index)!;
  /** Returns where a code begins; for the index after the last one, where all end. */
  const startOf = (index: number) => {
    if (index >= total) return bytes;
    const { first, offset, length } = runOf(index);
    return offset + (index - first) * length;
  };

  async function readInto(page: number): Promise<string> {
    const before = await lastIds.get(page - 1);
    const first = page * pageSize;
    const limit = Math.min(pageSize, total - first);
    const { codes, lastId } = await readPage(generationId, {
      after: before ?? "0",
      offset: before ? 0 : skipped + first,
      limit,
    });
    if (codes.length !== startOf(first + limit) - startOf(first))
      throw new Error(`Codes of the campaign ${generationId} are missing`);
    if (packed.length === 0) packed = Buffer.alloc(bytes);
    packed.write(codes, startOf(first), "latin1");
    return lastId;
  }

  return {
    runs,
    /** Waits for the codes [first, end). */
    async load(first: number, end: number) {
      for (let page = Math.floor(first / pageSize); page * pageSize < end; page++) {
        const known = lastIds.get(page) ?? readInto(page);
        lastIds.set(page, known);
        await known;
      }
    },
    at: (index: number) => packed.toString("latin1", startOf(index), startOf(index + 1)),
    copy(index: number, target: Buffer, offset: number) {
      packed.copy(target, offset, startOf(index), startOf(index + 1));
    },
  };
}

/**
 * Returns codes as one text without separators: as rows they would cost the event loop ten times as
 * much. Comparing (generation, id) leaves the planner only the index in this order, so that it never
 * walks or sorts all promotions for one page.
 */
async function readPage(
  generationId: string,
  page: { after: string; offset: number; limit: number },
): Promise<{ codes: string; lastId: string }> {
  const result = await one<{ codes: string; lastId: string }>(
    db(),
    `select coalesce(string_agg(code, '' order by id), '') as codes, max(id) as last_id
     from (
       select mass_generation_id, id, code from promotions
       where mass_generation_id is not null
         and (mass_generation_id, id) > (cast(:generationId as bigint), cast(:after as bigint))
       order by mass_generation_id, id limit :limit offset :offset
     ) page
     where mass_generation_id = :generationId`,
    { generationId, ...page },
  );
  return result!;
}
