/** Turns what was uploaded into an image that is safe to show: decoding proves what it is. */
import { createHash } from "node:crypto";
import pLimit from "p-limit";
import type Sharp from "sharp";
import { invalidFields, unavailable } from "../../errors";
import { isStorableText, truncate } from "../../forms/storable-text";
import { pictureError, pictureMessages } from "./picture-rules";

/** The bound of the columns, in bytes. */
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

/** The size of a stored picture in pixels: its middle is cut out, or all of it fits inside. */
type PictureSize = { width: number; height: number; fit: "cover" | "inside" };

/** A picture that was decoded and encoded again, before it is stored. */
export type NewPicture = {
  name: string;
  content: Buffer;
  width: number;
  height: number;
  /** Hash of the uploaded file, in hexadecimal. */
  digest: string;
};

/**
 * Reads the picture of a form; null if none was chosen.
 * @param field the file's field, which messages are about
 * @throws DomainError invalid; unavailable: too many pictures are being decoded
 */
export async function readChosenPicture(
  posted: FormData,
  field: string,
  size: PictureSize,
): Promise<NewPicture | null> {
  const file = posted.get(field);
  // Without scripts, an empty field is sent as a file without a name.
  return file instanceof File && file.name !== "" ? readPicture(file, field, size) : null;
}

/** @throws DomainError invalid; unavailable: too many pictures are being decoded */
export async function readPicture(
  file: File,
  field: string,
  size: PictureSize,
): Promise<NewPicture> {
  const error = pictureError(file);
  if (error !== null) throw invalidFields({ [field]: error });
  const bytes = Buffer.from(await file.arrayBuffer());
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { name: nameOf(file), digest, ...(await encodePicture(bytes, field, size)) };
}

/** Returns the name of a file without its folders, short enough to be shown. */
function nameOf({ name }: File): string {
  const last = name.split(/[/\\]/).at(-1)!;
  return isStorableText(last) && last.trim() !== "" ? truncate(last, 200) : "Picture";
}

/**
 * Returns an image as WebP of at most 64 KiB, turned upright, without metadata. Of an animation it is the first frame.
 * @throws DomainError invalid; unavailable: too many pictures are being decoded
 */
export async function encodePicture(
  bytes: Buffer,
  field: string,
  { width, height, fit }: PictureSize,
): Promise<Pick<NewPicture, "content" | "width" | "height">> {
  const sharp = await (loading ??= loadSharp());
  if (decoding.pendingCount >= maxWaiting)
    throw unavailable("Too many pictures are being uploaded. Please try again.");
  return decoding(async () => {
    try {
      const image = sharp(bytes, { failOn: "error", limitInputPixels: maxPixels, pages: 1 })
        .timeout({ seconds: 10 })
        .autoOrient()
        .resize(width, height, { fit });
      const { data, info } = await image
        .clone()
        .webp({ quality: 80 })
        .toBuffer({ resolveWithObject: true });
      const size = { width: info.width, height: info.height };
      if (data.length <= maxStoredBytes) return { content: data, ...size };
      // Noise that is partly transparent: without the transparency it always fits.
      const opaque = image.flatten({ background: "white" }).webp({ quality: 60 });
      return { content: await opaque.toBuffer(), ...size };
    } catch (cause) {
      const isTooLarge = cause instanceof Error && cause.message.includes("pixel limit");
      const message = isTooLarge ? pictureMessages.tooBig : pictureMessages.invalidFormat;
      throw invalidFields({ [field]: message });
    }
  });
}
