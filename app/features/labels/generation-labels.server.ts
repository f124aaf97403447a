/** Data printed on the labels of a mass generation. */
import { createHash } from "node:crypto";
import { db, one, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { formatCode, formatDiscount } from "../../format/promotion";
import { formatLastDay } from "../promotions/expiry-date";
import type { DiscountType } from "../promotions/promotion";
import { qrMatrix, qrPayload } from "../../codec/qr-image.server";
import type { LabelOptions } from "./label-options";

export type LabelledGeneration = {
  id: string;
  name: string;
  numCodes: number;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  createdAt: Date;
};

/** @throws DomainError not_found, also for malformed ids; conflict: it is deleted */
export async function getLabelledGeneration(id: string): Promise<LabelledGeneration> {
  const generation = await one<LabelledGeneration & { isDeleted: boolean }>(
    db(),
    `select id, name, num_codes, discount_type, discount_value, created_at, is_deleted
     from mass_generations where id = :id`,
    { id: parseRecordId(id) },
  );
  if (!generation) throw new DomainError("not_found", "Error: Mass generation not found");
  if (generation.isDeleted)
    throw new DomainError("conflict", "This mass generation is deleted. Restore it first.");
  return generation;
}

/** Data of one label; a code may have an expiration of its own. */
export type CodeLabel = { code: string; expiresAt: Date | null };

/**
 * Reads labels in the order in which their codes were created, deactivated ones included.
 * @param firstCode counted from 1
 */
export async function readLabels(
  generationId: string,
  { firstCode, count }: { firstCode: number; count: number },
): Promise<CodeLabel[]> {
  return query(
    db(),
    `select code, expires_at from promotions
     where mass_generation_id = :generationId order by id limit :count offset :offset`,
    { generationId, count, offset: firstCode - 1 },
  );
}

/** Labels that are printed together: everything that their look depends on. */
export type LabelSet = {
  generation: LabelledGeneration;
  options: LabelOptions;
  labels: CodeLabel[];
  /** Of QR_PAYLOAD. */
  template: string;
  /** The site's IANA zone. */
  timeZone: string;
};

/** 'valid until 31.12.2026', or '' where nothing ends or the date is not wanted. */
export function expiryOf({ expiresAt }: CodeLabel, { options, timeZone }: LabelSet): string {
  if (expiresAt === null || !options.caption.includes("expiry")) return "";
  return `valid until ${formatLastDay(expiresAt, timeZone)}`;
}

/** The caption that the labels of a set have room for. */
export function captionOf(set: LabelSet) {
  const { generation, options, labels } = set;
  const has = (part: "name" | "discount") => options.caption.includes(part);
  return {
    name: has("name") ? generation.name : "",
    discount: has("discount")
      ? formatDiscount(generation.discountType, generation.discountValue)
      : "",
    expiry: labels.map((label) => expiryOf(label, set)).find((expiry) => expiry !== "") ?? "",
    code: formatCode(labels[0]?.code ?? ""),
  };
}

export function modulesOf({ code }: CodeLabel, { template, options }: LabelSet): Modules {
  return qrMatrix(qrPayload(code, template), options.errorCorrection);
}

/** Raised whenever the same set is drawn differently. */
const drawing = 2;

/**
 * Names a file by what it is made of, without drawing it.
 * @param kind 'pdf', or 'svg' and the number of the sheet
 */
export function labelsTag({ generation, labels, ...rest }: LabelSet, kind: string): string {
  const { options, template, timeZone } = rest;
  const all = { drawing, kind, generation, params: options.params, template, timeZone };
  const hash = createHash("sha256").update(JSON.stringify(all));
  for (const { code, expiresAt } of labels) hash.update(`${code}${expiresAt?.getTime() ?? ""},`);
  return hash.digest("base64url").slice(0, 22);
}

/** The dark modules of a QR code in rectangles, as vectors are printed. */

type Modules = { size: number; data: ArrayLike<number> };

/** A rectangle in modules from the upper left one of the code, without its quiet zone. */
type Rectangle = { x: number; y: number; width: number; height: number };

/**
 * Runs of dark modules, row by row; a run that stands in the next row at the same place makes the
 * rectangle higher. That takes a third fewer of them than runs alone.
 */
export function darkRectangles({ size, data }: Modules): Rectangle[] {
  const found: Rectangle[] = [];
  // By column, where a rectangle begins that reaches down to the row before.
  let open = new Map<number, Rectangle>();
  for (let y = 0; y < size; y++) {
    const next = new Map<number, Rectangle>();
    for (let x = 0; x < size; x++) {
      let width = 0;
      while (x + width < size && data[y * size + x + width]) width++;
      if (width === 0) continue;
      let rectangle = open.get(x);
      if (rectangle?.width === width) rectangle.height++;
      else found.push((rectangle = { x, y, width, height: 1 }));
      next.set(x, rectangle);
      x += width;
    }
    open = next;
  }
  return found;
}
