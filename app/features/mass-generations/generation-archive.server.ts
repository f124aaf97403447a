/** A mass generation as a ZIP (RULES C5): a QR image for each code, and the list of them. */
import { createHash } from "node:crypto";
import { db } from "../../db/connection.server";
import { environment } from "../../env.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { byteOrderMark, csvLine } from "../../format/csv";
import { formatDiscount } from "../../format/promotion";
import { codeLength } from "../promotions/code";
import type { DiscountType } from "../promotions/promotion";
import { qrEncoder } from "../../codec/qr-encoder.server";
import { qrImageTag } from "../../codec/qr-image.server";
import { bytesOf, sizeOf, type ByteRange, type Section } from "../../codec/seekable-file.server";
import { storeZip, whole } from "../../codec/store-zip.server";

/** Columns of a generation that its archive contains. None of them ever changes. */
type ArchivedGeneration = {
  id: string;
  name: string;
  numCodes: number;
  discountType: DiscountType;
  discountValue: number;
};

type GenerationArchive = {
  fileName: string;
  /** Size in bytes. */
  size: number;
  /** Names the bytes: another archive has another one. */
  tag: string;
  /** @param range all of it where it is missing */
  bytes(range?: ByteRange): AsyncGenerator<Buffer>;
};

/**
 * The archive of a generation, of which nothing is made before its bytes are asked for.
 * @throws DomainError not_found; conflict: it is deleted
 */
export async function generationArchive(massGenerationId: string): Promise<GenerationArchive> {
  const generation = await findGeneration(massGenerationId);
  const { qrPayload } = environment();
  const sections = layOut(generation, qrPayload);
  return {
    fileName: `mass_generation_${generation.id}.zip`,
    size: sizeOf(sections),
    tag: archiveTag(generation, qrPayload),
    bytes: (range) => bytesOf(sections, range),
  };
}

/** Exact, in bytes, and worked out without a look at the codes. */
export function archiveSize(generation: ArchivedGeneration): number {
  return sizeOf(layOut(generation, environment().qrPayload));
}

async function findGeneration(massGenerationId: string): Promise<ArchivedGeneration> {
  const id = parseRecordId(massGenerationId);
  const found =
    id &&
    (await db()("mass_generations").where({ id }).first<{
      id: string;
      name: string;
      num_codes: number;
      discount_type: DiscountType;
      discount_value: number;
      is_deleted: boolean;
    }>("id", "name", "num_codes", "discount_type", "discount_value", "is_deleted"));
  if (!found) throw new DomainError("not_found", "Error: Mass generation not found");
  if (found.is_deleted)
    throw new DomainError("conflict", "This mass generation is deleted. Restore it first.");
  return {
    id: found.id,
    name: found.name,
    numCodes: found.num_codes,
    discountType: found.discount_type,
    discountValue: found.discount_value,
  };
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

/** Changes with everything that decides the bytes: the codes are decided by the id. */
function archiveTag(generation: ArchivedGeneration, template: string): string {
  const content = JSON.stringify(["archive 1", qrImageTag(template), generation]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

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
type PackedCodes = {
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
