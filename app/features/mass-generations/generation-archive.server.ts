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
import { packedCodes } from "./generation-codes.server";
import { bytesOf, sizeOf, type ByteRange, type Section } from "../../codec/seekable-file.server";
import { storeZip, whole } from "../../codec/store-zip.server";

/** Columns of a generation that its archive contains. None of them ever changes. */
export type ArchivedGeneration = {
  id: string;
  name: string;
  numCodes: number;
  discountType: DiscountType;
  discountValue: number;
};

export type GenerationArchive = {
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
