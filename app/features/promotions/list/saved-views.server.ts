import { db, isUniqueViolation, one, query } from "../../../db/connection.server";
import { DomainError, invalidFields } from "../../../errors";
import { filterNames } from "../../../forms/list";
import { parseRecordId } from "../../../forms/record-id";
import { nameError } from "../../../forms/storable-text";
import { promotionList } from "./promotion-filters";

/** A list under a name of its user's choice: its filters, order and columns, as its URL has them. */
export type SavedView = { id: string; name: string; parameters: string; isDefault: boolean };

const maxViewNameLength = 100;
const maxViews = 50;
const maxParametersLength = 4_000;
const savedParameters: readonly string[] = [
  ...filterNames(promotionList.filters),
  ...["sort", "per_page", "hide"],
];

/** Picks the parameters that a view holds: never a page. */
export function viewParameters(params: URLSearchParams): string {
  return new URLSearchParams(
    [...params].filter(([name, value]) => savedParameters.includes(name) && value !== ""),
  ).toString();
}

export async function listSavedViews(userId: string): Promise<SavedView[]> {
  return query(
    db(),
    `select id, name, parameters, is_default from saved_views
     where user_id = :userId order by lower(name), id`,
    { userId },
    { isKept: true },
  );
}

/**
 * @param options.replaces overwrites a view of this name
 * @throws DomainError invalid: `fields.name`; conflict: another view has this name
 */
export async function saveView(
  userId: string,
  name: string,
  params: URLSearchParams,
  { replaces = false } = {},
) {
  const parameters = viewParameters(params);
  if (parameters.length > maxParametersLength)
    throw invalidName("This view is too large to be saved");
  const viewName = checkedName(name);
  const saved = await one(
    db(),
    `insert into saved_views as v (user_id, name, parameters)
     select :userId, :name, :parameters
     where (select count(*) from saved_views where user_id = :userId) < ${maxViews}
       or exists (select from saved_views
         where user_id = :userId and lower(name) = lower(:name))
     on conflict (user_id, lower(name)) do update
       set name = excluded.name, parameters = excluded.parameters, updated_at = now()
       where :replaces or v.parameters = excluded.parameters
     returning v.id`,
    { userId, name: viewName, parameters, replaces },
  );
  if (saved) return;
  const existing = await one<{ name: string }>(
    db(),
    "select name from saved_views where user_id = :userId and lower(name) = lower(:viewName)",
    { userId, viewName },
  );
  throw existing
    ? new DomainError("conflict", `A view named ‘${existing.name}’ already exists.`)
    : invalidName(`No more than ${maxViews} views can be saved`);
}

/** @throws DomainError not_found; invalid: `fields.name`, also when another view has the name */
export async function renameView(userId: string, id: unknown, name: string): Promise<void> {
  const renamed = await one(
    db(),
    `update saved_views set name = :name, updated_at = now()
     where id = :id and user_id = :userId returning id`,
    { id: parseRecordId(id), userId, name: checkedName(name) },
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, "saved_views_name")
      ? invalidName("A view with this name already exists")
      : error;
  });
  if (!renamed) throw notFound();
}

/** @throws DomainError not_found */
export async function deleteView(userId: string, id: unknown): Promise<void> {
  const own = db()("saved_views").where({ id: parseRecordId(id), user_id: userId });
  if ((await own.delete()) === 0) throw notFound();
}

/**
 * Opens the list with this view from now on; with none when `id` is null.
 * @throws DomainError not_found
 */
export async function setDefaultView(userId: string, id: unknown): Promise<void> {
  await db().transaction(async (trx) => {
    const own = () => trx("saved_views").where({ user_id: userId });
    // Without the lock, two concurrent choices could both set the flag that only one may have.
    await own().orderBy("id").forNoKeyUpdate().select("id");
    await own().where({ is_default: true }).update({ is_default: false });
    if (id === null) return;
    const count = await own()
      .where({ id: parseRecordId(id) })
      .update({ is_default: true });
    if (count === 0) throw notFound();
  });
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  const message = nameError(trimmed, maxViewNameLength);
  if (message) throw invalidName(message);
  return trimmed;
}

const invalidName = (name: string) => invalidFields({ name });

const notFound = () => new DomainError("not_found", "This view no longer exists");
