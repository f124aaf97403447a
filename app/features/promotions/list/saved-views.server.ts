import { db } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { isLongerThan, isStorableText } from "../../../forms/storable-text";
import { filterParameters } from "./promotion-filters";

type Rows<Row> = { rows: Row[] };

/** A list that somebody gave a name: its filters, order and columns, as the address has them. */
export type SavedView = { id: string; name: string; parameters: string; isDefault: boolean };

export const maxViewNameLength = 100;
const maxViews = 50;
const maxParametersLength = 4_000;
const kept: readonly string[] = [...filterParameters, "sort", "per_page", "hide"];

/** What of an address a view holds: never a page. */
export function viewParameters(params: URLSearchParams): string {
  return new URLSearchParams(
    [...params].filter(([name, value]) => kept.includes(name) && value !== ""),
  ).toString();
}

export async function listSavedViews(userId: string): Promise<SavedView[]> {
  const { rows } = await db().raw<Rows<SavedView>>(
    `select id, name, parameters, is_default as "isDefault" from saved_views
     where user_id = :userId order by lower(name), id`,
    { userId },
  );
  return rows;
}

/** The parameters of the list that opens without any; null when nobody chose one. */
export async function defaultViewParameters(userId: string): Promise<string | null> {
  const { rows } = await db().raw<Rows<{ parameters: string }>>(
    "select parameters from saved_views where user_id = :userId and is_default",
    { userId },
  );
  return rows[0]?.parameters ?? null;
}

/**
 * Saves a view under a name; the same name again replaces what it holds.
 * @throws DomainError invalid, about the field `name`
 */
export async function saveView(userId: string, name: string, params: URLSearchParams) {
  const checked = checkedName(name);
  const parameters = viewParameters(params);
  if (parameters.length > maxParametersLength)
    throw invalidName("This view is too large to be saved");
  const { rows } = await db().raw<Rows<object>>(
    `insert into saved_views as v (user_id, name, parameters)
     select :userId, :name, :parameters
     where (select count(*) from saved_views where user_id = :userId) < ${maxViews}
       or exists (select from saved_views
         where user_id = :userId and lower(name) = lower(:name))
     on conflict (user_id, lower(name)) do update
       set name = excluded.name, parameters = excluded.parameters, updated_at = now()
     returning v.id`,
    { userId, name: checked, parameters },
  );
  if (rows.length === 0) throw invalidName(`No more than ${maxViews} views can be saved`);
}

/** @throws DomainError not_found; invalid: the name is taken or can't be one */
export async function renameView(userId: string, id: unknown, name: string): Promise<void> {
  const checked = checkedName(name);
  const taken = await db()("saved_views")
    .where({ user_id: userId })
    .whereRaw("lower(name) = lower(?) and id <> ?", [checked, readId(id)])
    .first("id");
  if (taken) throw invalidName("Another view has this name");
  await changeOwn(userId, id, { name: checked });
}

/** @throws DomainError not_found */
export async function deleteView(userId: string, id: unknown): Promise<void> {
  const count = await db()("saved_views")
    .where({ id: readId(id), user_id: userId })
    .delete();
  if (count === 0) throw notFound();
}

/** Opens the list with this view from now on; with none when `id` is null. */
export async function setDefaultView(userId: string, id: unknown): Promise<void> {
  await db().transaction(async (trx) => {
    await trx("saved_views").where({ user_id: userId, is_default: true }).update({
      is_default: false,
    });
    if (id === null) return;
    const count = await trx("saved_views")
      .where({ id: readId(id), user_id: userId })
      .update({ is_default: true });
    if (count === 0) throw notFound();
  });
}

async function changeOwn(userId: string, id: unknown, values: { name: string }): Promise<void> {
  const count = await db()("saved_views")
    .where({ id: readId(id), user_id: userId })
    .update({ ...values, updated_at: db().fn.now() });
  if (count === 0) throw notFound();
}

function readId(id: unknown): string {
  const read = parseRecordId(id);
  if (read === null) throw notFound();
  return read;
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "") throw invalidName("Name is required");
  if (isLongerThan(trimmed, maxViewNameLength)) {
    throw invalidName(`Name cannot exceed ${maxViewNameLength} characters`);
  }
  if (!isStorableText(trimmed)) throw invalidName("Name contains characters that cannot be stored");
  return trimmed;
}

function invalidName(sentence: string): DomainError {
  return new DomainError("invalid", sentence, { name: sentence });
}

function notFound(): DomainError {
  return new DomainError("not_found", "This view is not there any more");
}
