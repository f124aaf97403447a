/** Photos that users upload as avatars, re-encoded and stored in the database (RULES H17). */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { environment } from "../../env.server";
import { conflict, notFound } from "../../errors";
import { parseUuid } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { type ActionOptions, runOnce } from "../activity/idempotency.server";
import { type NewPicture, readChosenPicture, readPicture } from "../pictures/picture-image.server";
import { maxPhotos, photoField } from "./photo-rules";
import type { User } from "../sign-in/user";
import { lockUser } from "../sign-in/users.server";

export type Photo = { id: string; name: string; sizeInBytes: number; isUsed: boolean };

const ownPhotosSql = `select avatars.id, name, length(content) as size_in_bytes,
    avatars.id is not distinct from users.avatar_id as is_used
  from avatars join users on users.id = avatars.user_id where user_id = :userId`;

/** Lists the photos of a user, newest first. */
export async function listPhotos(userId: string): Promise<Photo[]> {
  const sql = `${ownPhotosSql} order by avatars.created_at desc, avatars.id`;
  return query(db(), sql, { userId });
}

const photoSize = { width: 256, height: 256, fit: "cover" } as const;

/** @throws DomainError invalid: `fields.photo`; unavailable: too many pictures are being decoded */
export function readNewPhoto(file: File): Promise<NewPicture> {
  return readPicture(file, photoField, photoSize);
}

/** Returns the photo of a form about a user; null if none was chosen. */
export function readChosenPhoto(posted: FormData): Promise<NewPicture | null> {
  return readChosenPicture(posted, photoField, photoSize);
}

/**
 * Adds a photo of the actor and shows it as the avatar.
 * @throws DomainError conflict: there are ten already
 */
export async function addPhoto(photo: NewPicture, options: ActionOptions): Promise<{ id: string }> {
  return runOnce(options, { photo: photo.digest }, (trx) =>
    storePhoto(trx, photo, options.actor.id, options),
  );
}

/** Adds a photo, as `addPhoto` does, in the transaction of what else is done to its user. */
export async function storePhoto(
  trx: Knex,
  { name, content }: NewPicture,
  userId: string,
  { actor }: { actor: Actor },
): Promise<{ id: string }> {
  if (!(await lockUser(trx, userId))) throw notFound("User not found");
  const created = await one<{ id: string }>(
    trx,
    `insert into avatars (user_id, name, content)
     select :userId, :name, :content
     where (select count(*) from avatars where user_id = :userId) < ${maxPhotos}
     returning id`,
    { userId, name, content },
  );
  if (!created)
    throw conflict(
      userId === actor.id
        ? `You have ${maxPhotos} photos. Delete one of them first.`
        : `This user has ${maxPhotos} photos and has to delete one of them first.`,
    );
  await trx("users").where({ id: userId }).update({ avatar_id: created.id });
  await recordAction(trx, actor, "user.photo_added", userId, {
    details: { name, size_in_bytes: content.length },
  });
  return created;
}

/**
 * Shows a photo of the actor as the avatar, once for each idempotency key.
 * @throws DomainError not_found, also for photos of others
 */
export async function choosePhoto(id: string, options: ActionOptions): Promise<void> {
  const { actor } = options;
  await runOnce(options, { chosen: id }, async (trx) => {
    await lockUser(trx, actor.id);
    const photo = await getPhoto(id, actor.id, trx);
    if (photo.isUsed) return;
    await trx("users").where({ id: actor.id }).update({ avatar_id: photo.id });
    await recordAction(trx, actor, "user.avatar_chosen", actor.id, {
      details: { photo: photo.name },
    });
  });
}

/**
 * Deletes a photo of the actor; the icon is shown again if the photo was.
 * @throws DomainError not_found, also for photos of others
 */
export async function deletePhoto(id: string, { actor }: { actor: Actor }): Promise<void> {
  await db().transaction(async (trx) => {
    await lockUser(trx, actor.id);
    const photo = await getPhoto(id, actor.id, trx);
    await trx("avatars").where({ id: photo.id }).delete();
    await recordAction(trx, actor, "user.photo_deleted", actor.id, {
      details: { name: photo.name },
    });
  });
}

/**
 * Returns the content of a photo: WebP that never changes. Users see their own, admins all.
 * @param id as it came in a URL
 * @throws DomainError not_found
 */
export async function readPhoto(
  id: string,
  viewer: Pick<User, "id" | "role">,
): Promise<{ id: string; content: Buffer }> {
  const photo = await one<{ id: string; content: Buffer }>(
    db(),
    "select id, content from avatars where id = :id and (user_id = :viewerId or :isAdmin)",
    { id: parseUuid(id), viewerId: viewer.id, isAdmin: viewer.role === "admin" },
  );
  if (!photo) throw notFound("Photo not found");
  return photo;
}

const privateFolder = "users/avatar";

/** Returns the path of a photo that its content is read by, for the API. */
function privateUrlOf(id: string): string {
  return `${privateFolder}/${id}.webp`;
}

export const photoDownloadPath = "/file/download";

/** Returns a photo as the API describes files. */
export function toApiFile({ id, name, sizeInBytes }: Pick<Photo, "id" | "name" | "sizeInBytes">) {
  const privateUrl = privateUrlOf(id);
  const address = `${photoDownloadPath}?privateUrl=${encodeURIComponent(privateUrl)}`;
  const publicUrl = environment().appOrigin + address;
  return { id, name, sizeInBytes, privateUrl, publicUrl, new: false };
}

/**
 * Returns the content of the photo that has this private URL, exactly as it was given out.
 * @throws DomainError not_found
 */
export function readPhotoAt(privateUrl: string, viewer: Pick<User, "id" | "role">) {
  const id = privateUrl.slice(privateFolder.length + 1, -".webp".length);
  if (privateUrl !== privateUrlOf(id)) throw notFound("Photo not found");
  return readPhoto(id, viewer);
}

/** @throws DomainError not_found, also for photos of others */
export async function getPhoto(id: string, userId: string, trx: Knex = db()): Promise<Photo> {
  const sql = `${ownPhotosSql} and avatars.id = :id`;
  const photo = await one<Photo>(trx, sql, { id: parseUuid(id), userId });
  if (!photo) throw notFound("Photo not found");
  return photo;
}
