/** The rules of photos (RULES H17), for browser and server alike. */

export const photoFormId = "photo-upload";
export const photoField = "photo";
export const photoIntents = { upload: "upload-photo", use: "use-photo" };

export const maxPhotos = 10;

export const photoHint =
  ".PNG, .JPG, .JPEG or .WEBP, up to 2 MB. Its middle is shown, 256 pixels wide.";
