/** The rules of uploaded pictures (RULES H17, N3), for browser and server alike. */

export const maxPictureBytes = 2 * 1024 * 1024;

const extensions = [".png", ".jpg", ".jpeg", ".jfif", ".webp"];

/** The value of the file input's `accept`. */
export const acceptedPictures = extensions.join(",");

export const pictureMessages = {
  notAnImage: "You must upload an image",
  tooBig: "File is too big.",
  invalidFormat: "Invalid format",
};

/** Returns why a file can't be a picture by what its sender says about it, or null. */
export function pictureError({
  name,
  type,
  size,
}: Pick<File, "name" | "type" | "size">): string | null {
  if (!type.startsWith("image")) return pictureMessages.notAnImage;
  if (size > maxPictureBytes) return pictureMessages.tooBig;
  const isKnown = extensions.some((extension) => name.toLowerCase().endsWith(extension));
  return isKnown && size > 0 ? null : pictureMessages.invalidFormat;
}

/** Returns the same for a field that may be left empty: browsers then send a file without a name. */
export const optionalPictureError = (file: File) => (file.name === "" ? null : pictureError(file));
