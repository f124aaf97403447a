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
import { storeZip, whole } from "../../codec/store-zip.server";
import { getUndeletedGeneration, type MassGeneration } from "./mass-generation.server";

/** Facts about a generation that its archive contains, all of them in its tag. */
type ArchivedGeneration = Pick<
  MassGeneration,
  "id" | "name" | "numCodes" | "discountType" | "discountValue"
>;

/** @throws DomainError not_found; conflict: it is deleted */
export async function generationArchive(massGenerationId: string) {
  const generation = await getUndeletedGeneration(massGenerationId);
  const { qrPayload } = environment();
  const sections = layOut(generation, qrPayload);
  return {
    fileName: `mass_generation_${generation.id}.zip`,
    size: sizeOf(sections),
    tag: archiveTag(generation, qrPayload),
    bytes: (range?: ByteRange) => bytesOf(sections, range),
  };
}

/** Returns the exact size in bytes, without reading the codes. */
export function archiveSize(generation: ArchivedGeneration): number {
  return sizeOf(layOut(generation, environment().qrPayload));
}

function layOut(generation: ArchivedGeneration, template: string): Section[] {
  const { id, name, numCodes, discountType, discountValue } = generation;
  const encoder = qrEncoder(template);
  const codes = packedCodes(id, numCodes);
  const ending = Buffer.from(".png");
  const restOfLine = Buffer.from(csvLine(["", name, formatDiscount(discountType, discountValue)]));
  const lines: Section = {
    count: numCodes,
    size: codeLength + restOfLine.length,
    prepare: codes.load,
    write(index, target, offset) {
      codes.copy(index, target, offset);
      target.set(restOfLine, offset + codeLength);
    },
  };
  return storeZip(
    {
      count: numCodes,
      nameSize: codeLength + ending.length,
      size: encoder.pngSize,
      prepare: codes.load,
      writeName(index, target, offset) {
        codes.copy(index, target, offset);
        target.set(ending, offset + codeLength);
      },
      writeContent: (index, target, offset) => encoder.writePng(codes.at(index), target, offset),
    },
    {
      name: "codes.csv",
      content: [whole(Buffer.from(byteOrderMark + csvLine(["Code", "Name", "Discount"]))), lines],
    },
  );
}

/** Identifies the bytes by everything that they depend on; the id stands for the codes. */
function archiveTag(generation: ArchivedGeneration, template: string): string {
  const { id, name, numCodes, discountType, discountValue } = generation;
  const fields = { id, name, numCodes, discountType, discountValue };
  const content = JSON.stringify(["archive 1", qrImageTag(template), fields]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

const pageSize = 10_000;

/**
 * The codes of a generation in the order in which they were made, deleted ones included, 12 bytes each.
 * They are read in pages: nothing is held open while a client takes its time.
 * @param count of all codes of the generation
 */
export function packedCodes(generationId: string, count: number) {
  let packed = Buffer.alloc(0);
  /** The last id of each page that was asked for. */
  const lastIds = new Map<number, Promise<string>>();

  async function readInto(page: number): Promise<string> {
    const before = await lastIds.get(page - 1);
    const first = page * pageSize;
    const limit = Math.min(pageSize, count - first);
    const { codes, lastId } = await readPage(generationId, {
      after: before ?? "0",
      offset: before ? 0 : first,
      limit,
    });
    if (codes.length !== limit * codeLength)
      throw new Error(`Codes of the campaign ${generationId} are missing`);
    if (packed.length === 0) packed = Buffer.alloc(count * codeLength);
    packed.write(codes, first * codeLength, "latin1");
    return lastId;
  }

  return {
    /** Waits for the codes [first, end). */
    async load(first: number, end: number) {
      for (let page = Math.floor(first / pageSize); page * pageSize < end; page++) {
        const known = lastIds.get(page) ?? readInto(page);
        lastIds.set(page, known);
        await known;
      }
    },
    at: (index: number) => packed.toString("latin1", index * codeLength, (index + 1) * codeLength),
    copy(index: number, target: Buffer, offset: number) {
      packed.copy(target, offset, index * codeLength, (index + 1) * codeLength);
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
