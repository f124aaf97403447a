import type { Knex } from "knex";
import * as z from "zod/mini";
import { db, one, query } from "../../../db/connection.server";
import { violatesConstraint } from "../../../db/database-errors.server";
import { conflict, invalidFields, notFound, requireVersion } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { nameText } from "../../../forms/fields";
import { parseFields } from "../../../forms/form-validator";
import { namesIn } from "../../../db/pages.server";
import { recordAction, type Actor } from "../../activity/audit-log.server";
import { type ActionOptions, optionsOf, runOnce } from "../../activity/idempotency.server";
import { canEdit, fullName, type Role, type User } from "../../sign-in/user";
import type { SavedView } from "./saved-view";
import { viewParameters } from "./view-tabs.server";

/** Counts as an ordinary user without a role. */
type ViewActor = Actor & { role?: Role };
export type ViewOptions = ActionOptions & { actor: ViewActor };
export type Reader = Pick<ViewActor, "id" | "role">;

const maxViewNameLength = 100;
const maxViews = 50;
const maxSharedViews = 100;
const maxParametersLength = 4_000;

/** Whether a view `v`, saved or deleted, is the actor's to change. Admins change shared ones, too; viewers own none. */
export const isEditableSql = "(coalesce(v.user_id = :userId, false) or v.is_shared and :isAdmin)";
export const editorBindings = ({ id, role = "user" }: Reader) => ({
  userId: canEdit({ role }) ? id : null,
  isAdmin: role === "admin",
});

/** Whether the reader may see a shared view: a text that it looks for may be a part of a code (RULES H23). */
const isReadableSql = "(:canEdit or v.parameters !~ '(^|&)text=')";

type SavedViewRow = Omit<SavedView, "sharedBy" | "isOwned"> & {
  isOwn: boolean;
  owner: Pick<User, "email" | "firstName" | "lastName"> | null;
};

/** Lists a user's views by name, and then those that others share. */
export async function listSavedViews(reader: Reader): Promise<SavedView[]> {
  const rows = await query<SavedViewRow>(
    db(),
    `select v.id, v.name, v.parameters, v.is_shared, v.version, ${isEditableSql} as is_editable,
       is_own, is_own and v.is_default as is_default,
       (select json_build_object('email', email, 'firstName', first_name, 'lastName', last_name)
        from users where id = v.user_id) as owner
     from saved_views v
       cross join lateral (select coalesce(v.user_id = :userId, false) as is_own) ownership
     where is_own or v.is_shared and ${isReadableSql}
     order by is_own desc, lower(v.name), v.id`,
    { ...editorBindings(reader), canEdit: canEdit({ role: "user", ...reader }) },
    { isPrepared: true },
  );
  return rows.map(({ isOwn, owner, ...view }) => ({
    ...view,
    isOwned: owner !== null,
    sharedBy: isOwn ? null : owner ? fullName(owner) : "a deleted user",
  }));
}

/**
 * Saves a view, once for each key.
 * @param options.replaces overwrites a view of this name
 * @throws DomainError invalid: `fields.name`; conflict: another view has this name
 */
export function saveView(
  name: string,
  params: URLSearchParams,
  { replaces = false, ...options }: ViewOptions & { replaces?: boolean },
): Promise<{ viewId: string }> {
  const parameters = viewParameters(params);
  const { actor } = options;
  const userId = actor.id;
  // 'Save' and 'Replace' share a key: a retry by either has no effect.
  return changeViews("save", options, { name, parameters }, async (trx) => {
    if (parameters.length > maxParametersLength)
      throw invalidName("This view is too large to be saved");
    const viewName = checkedName(name);
    const saved = await one<{ id: string; isNew: boolean }>(
      trx,
      `insert into saved_views as v (user_id, name, parameters)
       select :userId, :name, :parameters
       where ${hasRoomSql} or exists (select from saved_views
           where user_id = :userId and lower(name) = lower(:name))
       on conflict (user_id, lower(name)) do update
         set name = excluded.name, parameters = excluded.parameters, version = v.version + 1,
           updated_at = now()
         where :replaces or v.parameters = excluded.parameters
       returning v.id, v.xmax = 0 as is_new`,
      { userId, name: viewName, parameters, replaces },
    );
    if (saved) {
      const action = saved.isNew ? "user.view_saved" : "user.view_replaced";
      await recordAction(trx, actor, action, userId, { details: { view: viewName, parameters } });
      return { viewId: saved.id };
    }
    const existing = await one<{ name: string }>(
      trx,
      "select name from saved_views where user_id = :userId and lower(name) = lower(:viewName)",
      { userId, viewName },
    );
    throw existing ? conflict(`A view named "${existing.name}" already exists.`) : tooManyViews();
  });
}

/**
 * @param version the one that the actor saw
 * @throws DomainError not_found; conflict: somebody else changed it; invalid: `fields.name`, also when
 *   another view has the name
 */
export async function renameView(
  id: string,
  name: string,
  version: number,
  options: ViewOptions,
): Promise<void> {
  await changeView("rename", id, { name }, options, async (trx, view) => {
    const to = checkedName(name);
    // A repeated attempt, or another person's same change.
    if (view.name === to) return;
    requireVersion(view.version, version, "Someone else changed this view");
    await query(
      trx,
      "update saved_views set name = :to, version = version + 1, updated_at = now() where id = :id",
      { id: view.id, to },
    );
    const details = { name: { from: view.name, to } };
    await recordAction(trx, options.actor, "user.view_renamed", view.subjectId, { details });
  });
}

/**
 * Shows a view to all users, or to its owner alone.
 * @throws DomainError not_found; conflict: nobody would see it; invalid: `fields.name`, when another shared view has
 *   its name
 */
export async function shareView(
  id: string,
  isShared: boolean,
  options: ViewOptions,
): Promise<void> {
  await changeView("share", id, { isShared }, options, async (trx, view) => {
    if (view.isShared === isShared) return;
    if (view.userId === null) throw conflict("Its owner was deleted. Delete the view instead.");
    if (isShared) await requireSharedRoom(trx);
    const sql = "update saved_views set is_shared = :isShared, updated_at = now() where id = :id";
    await query(trx, sql, { id: view.id, isShared });
    const action = isShared ? "user.view_shared" : "user.view_unshared";
    await recordAction(trx, options.actor, action, view.subjectId, {
      details: { view: view.name },
    });
  });
}

/**
 * Opens the list with this view from now on; with none when `id` is null.
 * @throws DomainError not_found
 */
export async function setDefaultView(id: string | null, options: ViewOptions): Promise<void> {
  const { actor } = options;
  await changeViews("default", options, { id }, async (trx) => {
    const own = () => trx("saved_views").where({ user_id: actor.id });
    const views = await own().select<SavedView[]>("id", "name", "is_default as isDefault");
    const chosen = views.find((view) => view.id === parseRecordId(id));
    if (id !== null && !chosen) throw viewNotFound();
    await own().where({ is_default: true }).update({ is_default: false });
    if (chosen) await own().where({ id: chosen.id }).update({ is_default: true });
    const from = views.find(({ isDefault }) => isDefault)?.name ?? null;
    const details = { default_view: { from, to: chosen?.name ?? null } };
    await recordAction(trx, actor, "user.default_view_chosen", actor.id, { details });
  });
}

export type LockedView = Pick<SavedView, "id" | "name" | "parameters" | "version" | "isShared"> & {
  /** Its owner; null once that user was deleted. */
  userId: string | null;
  /** The user whom the audit log names. */
  subjectId: string;
};

export type ViewTable = "saved_views" | "deleted_views";

/** Locks a view that the actor may change; null where the table has none. */
export function lockView(trx: Knex.Transaction, actor: ViewActor, id: unknown, table: ViewTable) {
  return one<LockedView>(
    trx,
    `select v.id, v.name, v.parameters, v.version, v.is_shared, v.user_id,
       coalesce(v.user_id, :userId) as subject_id
     from ${table} v where v.id = :id and ${isEditableSql} for update`,
    { id: parseRecordId(id), ...editorBindings(actor) },
  );
}

/**
 * Runs a change of a view that the actor may change, in a transaction that locks it.
 * @param values what a repetition must share, beside the id
 * @throws DomainError not_found; invalid: `fields.name`, when another view has its name
 */
function changeView(
  action: string,
  id: string,
  values: object,
  options: ViewOptions,
  change: (trx: Knex.Transaction, view: LockedView) => Promise<void>,
): Promise<void> {
  return changeViews(action, options, { id, ...values }, async (trx) => {
    const view = await lockView(trx, options.actor, id, "saved_views");
    if (!view) throw viewNotFound();
    await change(trx, view);
  });
}

/**
 * Runs a change of views in a transaction, once for each key of its actor. Changes wait for each other, so that none goes
 * beyond a limit that it has checked, and one view alone is the default.
 * @throws DomainError invalid: `fields.name`, when another view has the name that one gets
 */
export function changeViews<Result extends object | void>(
  action: string,
  options: ViewOptions,
  input: object,
  run: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return runOnce(optionsOf(action, options), { [action]: input }, async (trx) => {
    await query(trx, "select pg_advisory_xact_lock(hashtext('saved_views'))");
    return run(trx);
  }).catch((error: unknown) => {
    if (violatesConstraint(error, "saved_views_name"))
      throw invalidName("A view with this name already exists");
    if (violatesConstraint(error, "saved_views_shared_name"))
      throw invalidName("Another shared view has this name");
    throw error;
  });
}

/** Whether the user `:userId` may have one more view. */
export const hasRoomSql = `(select count(*) from saved_views where user_id = :userId) < ${maxViews}`;

/** @throws DomainError invalid: `fields.name` */
export async function requireSharedRoom(trx: Knex.Transaction): Promise<void> {
  const sql = `select from saved_views where is_shared having count(*) < ${maxSharedViews}`;
  const hasRoom = await one(trx, sql);
  if (!hasRoom) throw invalidName(`No more than ${maxSharedViews} views can be shared`);
}

/** Names of tabs that nobody saved. */
const builtInViews = ["all codes", "campaigns", "deleted"];

const viewSchema = z.object({ name: nameText(maxViewNameLength) });

function checkedName(name: string): string {
  const checked = parseFields(viewSchema, { name }).name;
  if (builtInViews.includes(checked.toLowerCase()))
    throw invalidName("The QR List has a view with this name already");
  return checked;
}

const invalidName = (name: string) => invalidFields({ name });

export const tooManyViews = () => invalidName(`No more than ${maxViews} views can be saved`);

export const viewNotFound = () => notFound("This view no longer exists");

export const viewNames = namesIn("saved_views", "name");
