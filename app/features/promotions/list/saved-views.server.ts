import type { Knex } from "knex";
import * as z from "zod/mini";
import { db, isUniqueViolation, one, query } from "../../../db/connection.server";
import { DomainError, invalidFields } from "../../../errors";
import { filterNames } from "../../../lists/list";
import { parseRecordId } from "../../../forms/record-id";
import { nameText } from "../../../forms/fields";
import { parseFields } from "../../../forms/form-validator";
import { recordAction, type Actor } from "../../activity/audit-log.server";
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
    { isPrepared: true },
  );
}

/**
 * @param options.replaces overwrites a view of this name
 * @throws DomainError invalid: `fields.name`; conflict: another view has this name
 */
export async function saveView(
  actor: Actor,
  name: string,
  params: URLSearchParams,
  { replaces = false } = {},
) {
  const parameters = viewParameters(params);
  if (parameters.length > maxParametersLength)
    throw invalidName("This view is too large to be saved");
  const viewName = checkedName(name);
  const userId = actor.id;
  await db().transaction(async (trx) => {
    const saved = await one<{ isNew: boolean }>(
      trx,
      `insert into saved_views as v (user_id, name, parameters)
     select :userId, :name, :parameters
     where (select count(*) from saved_views where user_id = :userId) < ${maxViews}
       or exists (select from saved_views
         where user_id = :userId and lower(name) = lower(:name))
     on conflict (user_id, lower(name)) do update
       set name = excluded.name, parameters = excluded.parameters, updated_at = now()
       where :replaces or v.parameters = excluded.parameters
     returning v.xmax = 0 as is_new`,
      { userId, name: viewName, parameters, replaces },
    );
    if (saved) {
      const action = saved.isNew ? "user.view_saved" : "user.view_replaced";
      return recordAction(trx, actor, action, userId, { details: { view: viewName, parameters } });
    }
    const existing = await one<{ name: string }>(
      trx,
      "select name from saved_views where user_id = :userId and lower(name) = lower(:viewName)",
      { userId, viewName },
    );
    throw existing
      ? new DomainError("conflict", `A view named "${existing.name}" already exists.`)
      : invalidName(`No more than ${maxViews} views can be saved`);
  });
}

/** @throws DomainError not_found; invalid: `fields.name`, also when another view has the name */
export async function renameView(actor: Actor, id: unknown, name: string): Promise<void> {
  await db()
    .transaction(async (trx) => {
      const own = await lockView(trx, actor.id, id);
      const change = { name: { from: own.name, to: checkedName(name) } };
      await query(trx, "update saved_views set name = :name, updated_at = now() where id = :id", {
        id: own.id,
        name: change.name.to,
      });
      await recordAction(trx, actor, "user.view_renamed", actor.id, { details: change });
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "saved_views_name")
        ? invalidName("A view with this name already exists")
        : error;
    });
}

/** @throws DomainError not_found */
export async function deleteView(actor: Actor, id: unknown): Promise<void> {
  await db().transaction(async (trx) => {
    const { id: viewId, name, parameters } = await lockView(trx, actor.id, id);
    await query(trx, "delete from saved_views where id = :viewId", { viewId });
    const details = { view: name, parameters };
    await recordAction(trx, actor, "user.view_deleted", actor.id, { details });
  });
}

/** @throws DomainError not_found */
async function lockView(trx: Knex, userId: string, id: unknown) {
  const view = await one<Pick<SavedView, "id" | "name" | "parameters">>(
    trx,
    `select id, name, parameters from saved_views
     where id = :id and user_id = :userId for update`,
    { id: parseRecordId(id), userId },
  );
  if (!view) throw notFound();
  return view;
}

/**
 * Opens the list with this view from now on; with none when `id` is null.
 * @throws DomainError not_found
 */
export async function setDefaultView(actor: Actor, id: unknown): Promise<void> {
  await db().transaction(async (trx) => {
    const own = () => trx("saved_views").where({ user_id: actor.id });
    // Without the lock, two concurrent choices could both set the flag that only one may have.
    const views = await own()
      .orderBy("id")
      .forNoKeyUpdate()
      .select<SavedView[]>("id", "name", "is_default as isDefault");
    const chosen = views.find((view) => view.id === parseRecordId(id));
    if (id !== null && !chosen) throw notFound();
    await own().where({ is_default: true }).update({ is_default: false });
    if (chosen) await own().where({ id: chosen.id }).update({ is_default: true });
    const from = views.find(({ isDefault }) => isDefault)?.name ?? null;
    const details = { default_view: { from, to: chosen?.name ?? null } };
    await recordAction(trx, actor, "user.default_view_chosen", actor.id, { details });
  });
}

const viewSchema = z.object({ name: nameText(maxViewNameLength) });
const checkedName = (name: string) => parseFields(viewSchema, { name }).name;

const invalidName = (name: string) => invalidFields({ name });

const notFound = () => new DomainError("not_found", "This view no longer exists");
