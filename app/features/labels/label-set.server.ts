/** Holds the codes and options that one file or one sheet is drawn from. */
import { createHash } from "node:crypto";
import { qrMatrix, qrPayload } from "../../codec/qr-image.server";
import { formatCode, formatDiscount } from "../../format/promotion";
import { formatLastDay } from "../promotions/expiry-date";
import type { LabelOptions } from "./label-options";
import type { LabelSource } from "./label-source.server";

/** Data of one label; a code may have an expiration of its own. */
export type CodeLabel = { number: number; code: string; expiresAt: Date | null };

/** Labels that are printed together: everything that their look depends on. */
export type LabelSet = {
  source: LabelSource;
  options: LabelOptions;
  labels: CodeLabel[];
  /** Template of QR_PAYLOAD. */
  template: string;
  /** The site's IANA zone. */
  timeZone: string;
};

/** 'valid until 31.12.2026', or '' where nothing ends or the date is not wanted. */
export function expiryOf({ expiresAt }: CodeLabel, { options, timeZone }: LabelSet): string {
  if (expiresAt === null || !options.caption.includes("expiry")) return "";
  return `valid until ${formatLastDay(expiresAt, timeZone)}`;
}

/** The label with the longest code, which has the least room. */
export function longestOf({ labels }: LabelSet): CodeLabel {
  return labels.reduce((longest, label) =>
    label.code.length > longest.code.length ? label : longest,
  );
}

/** Returns the caption by which labels are laid out whose codes are as long as that of `label`. */
export function captionOf(set: LabelSet, label: CodeLabel | undefined = set.labels[0]) {
  const { labels } = set;
  const { caption } = set.options;
  const { name, discountType, discountValue } = set.source;
  // Formatting a date takes microseconds, and a set may have 10,000.
  const dated = labels.find(({ expiresAt }) => expiresAt !== null);
  return {
    name: caption.includes("name") ? name : "",
    discount: caption.includes("discount") ? formatDiscount(discountType, discountValue) : "",
    expiry: dated ? expiryOf(dated, set) : "",
    code: formatCode(label?.code ?? ""),
  };
}

export function modulesOf({ code }: CodeLabel, { template, options }: LabelSet): Modules {
  return qrMatrix(qrPayload(code, template), options.errorCorrection);
}

/** Raised whenever the same set is drawn differently. */
const drawing = 4;

/**
 * Names a file by what it is made of, without drawing it.
 * @param kind 'pdf' or 'svg', and the places that stay empty before the first label
 */
export function labelsTag({ labels, options, template, timeZone, ...set }: LabelSet, kind: string) {
  const { id, name, numCodes, discountType, discountValue, createdAt } = set.source;
  const source = { id, name, numCodes, discountType, discountValue, createdAt };
  const all = { drawing, kind, source, params: options.params, template, timeZone };
  const hash = createHash("sha256").update(JSON.stringify(all));
  for (const { code, expiresAt } of labels) hash.update(`${code}${expiresAt?.getTime() ?? ""},`);
  return hash.digest("base64url").slice(0, 22);
}

type Modules = { size: number; data: ArrayLike<number> };

/** A rectangle in modules from the upper left one of the code, without its quiet zone. */
type Rectangle = { x: number; y: number; width: number; height: number };

/**
 * Runs of dark modules, row by row; a run that stands in the next row at the same place makes the
 * rectangle higher. That takes a third fewer of them than runs alone.
 */
export function darkRectangles({ size, data }: Modules): Rectangle[] {
  const rectangles: Rectangle[] = [];
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
      else rectangles.push((rectangle = { x, y, width, height: 1 }));
      next.set(x, rectangle);
      x += width;
    }
    open = next;
  }
  return rectangles;
}
