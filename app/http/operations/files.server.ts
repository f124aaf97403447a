import { DomainError, invalidFields } from "../../errors";
import { photoField } from "../../features/people/photo-rules";
import { maxPictureBytes } from "../../features/pictures/picture-rules";
import {
  addPhoto,
  listPhotos,
  readNewPhoto,
  photoDownloadPath,
  readPhotoAt,
  toApiFile,
} from "../../features/people/photos.server";
import { formatBytes } from "../../format/number";
import { operation } from "../api.server";
import { pictureResponse } from "../downloads.server";
import { avatarFileSchema } from "./schemas";

/** Returns the uploaded file under the name that the client gives it, if it gives one. */
function readUpload(form: FormData): File {
  const [file, name] = [form.get("file"), form.get("filename")];
  if (!(file instanceof File)) throw invalidFields({ file: "Send an image as file" });
  return typeof name === "string" && name !== "" ? new File([file], name, file) : file;
}

export const fileOperations = [
  operation({
    method: "POST",
    path: "/file/upload/users/avatar",
    summary: "Upload a photo",
    scope: "account",
    isIdempotent: true,
    upload: {
      file: `PNG, JPEG or WebP of at most ${formatBytes(maxPictureBytes)}.`,
      filename: "The name of the file; optional.",
    },
    answers: { 201: "The photo, which is the avatar of the user now." },
    result: avatarFileSchema,
    async run({ form, actor, options }) {
      try {
        const picture = await readNewPhoto(readUpload(form));
        const { id } = await addPhoto(picture, options);
        const photos = await listPhotos(actor.id);
        // A repetition finds none if the photo was deleted since, and gets the same answer.
        const uploaded = { id, name: picture.name, sizeInBytes: picture.content.length };
        return toApiFile(photos.find((photo) => photo.id === id) ?? uploaded);
      } catch (cause) {
        const error = cause instanceof DomainError ? cause.fields[photoField] : undefined;
        throw error === undefined ? cause : invalidFields({ file: error });
      }
    },
  }),
  operation({
    method: "GET",
    path: photoDownloadPath,
    summary: "Download a photo",
    scope: "read",
    query: (params) => ({ query: params.get("privateUrl") ?? "", errors: {} }),
    queryParams: {
      privateUrl: ["The path of a photo, as it was given out.", { type: "string" }, true],
    },
    answers: { 200: "The photo, as WebP." },
    file: "image/webp",
    run: async ({ query, user, request }) =>
      pictureResponse(request, await readPhotoAt(query, user)),
  }),
];
