/** Turns what was uploaded into an image that is safe to show: decoding proves what it is. */
import pLimit from "p-limit";
import type Sharp from "sharp";
import { DomainError, invalidFields } from "../../errors";
import { photoField, photoMessages } from "./photo-rules";

/** Width and height of a stored photo, in pixels. */
const sidePixels = 256;
/** The bound of the column, in bytes. */
const maxStoredBytes = 64 * 1024;
/** Decoding this many takes some 100 MB. */
const maxPixels = 24_000_000;

/** More would take every thread of the process from its other work. */
const decoding = pLimit(2);
const maxWaiting = 10;

const loaders = ["Jpeg", "Png", "Webp"].map((format) => `VipsForeignLoad${format}Buffer`);

let loading: Promise<typeof Sharp> | undefined;

/** Loads the library with the first upload, and lets it read three formats only. */
async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Returns the middle of an image as 256×256 WebP of at most 64 KiB, turned upright, without metadata. Of an
 * animation it is the first frame.
 * @throws DomainError invalid: `fields.photo`; unavailable: too many images are being decoded
 */
export async function toPhotoImage(bytes: Buffer): Promise<Buffer> {
  const sharp = await (loading ??= loadSharp());
  if (decoding.pendingCount >= maxWaiting)
    throw new DomainError("unavailable", "Too many photos are being uploaded. Please try again.");
  return decoding(async () => {
    try {
      const image = sharp(bytes, { failOn: "error", limitInputPixels: maxPixels, pages: 1 })
        .timeout({ seconds: 10 })
        .autoOrient()
        .resize(sidePixels, sidePixels, { fit: "cover" });
      const stored = await image.clone().webp({ quality: 80 }).toBuffer();
      if (stored.length <= maxStoredBytes) return stored;
      // Noise that is partly transparent: without the transparency it always fits.
      return await image.flatten({ background: "white" }).webp({ quality: 60 }).toBuffer();
    } catch (cause) {
      const isTooLarge = cause instanceof Error && cause.message.includes("pixel limit");
      const message = isTooLarge ? photoMessages.tooBig : photoMessages.invalidFormat;
      throw invalidFields({ [photoField]: message });
    }
  });
}
