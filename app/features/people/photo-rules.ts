/** The rules of uploaded photos (RULES H17), for browser and server alike. */

/** The field of the file, the form that has it, and the intents of the forms about photos. */
export const photoFormId = "photo-upload";
export const photoField = "photo";
export const photoIntents = { upload: "upload-photo", use: "use-photo", remove: "delete-photo" };

export const maxPhotoBytes = 2 * 1024 * 1024;
/** More has to be deleted before another one is uploaded. */
export const maxPhotos = 10;

const extensions = [".png", ".jpg", ".jpeg", ".webp"];

/** The value of the file input's `accept`. */
export const acceptedPhotos = extensions.join(",");

export const photoMessages = {
  notAnImage: "You must upload an image",
  tooBig: "File is too big.",
  invalidFormat: "Invalid format",
};

/** Returns why a file can't be a photo by what its sender says about it, or null. */
export function photoError({
  name,
  type,
  size,
}: Pick<File, "name" | "type" | "size">): string | null {
  if (!type.startsWith("image")) return photoMessages.notAnImage;
  if (size > maxPhotoBytes) return photoMessages.tooBig;
  const isKnown = extensions.some((extension) => name.toLowerCase().endsWith(extension));
  return isKnown && size > 0 ? null : photoMessages.invalidFormat;
}
