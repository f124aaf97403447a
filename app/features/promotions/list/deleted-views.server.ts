/** Views that were deleted, which can be restored for a day. */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import type { Leftovers } from "../../../db/sweep.server";
import { recordAction } from "../../activity/audit-log.server";
import type { SavedView } from "./saved-view";
import {
  changeViews,
  editorBindings,
  hasRoomSql,
  isEditableSql,
  type LockedView,
  lockView,
  type Reader,
  requireSharedRoom,
  tooManyViews,
  viewNotFound,
  type ViewOptions,
  type ViewTable,
} from "./saved-views.server";

/** Deleted views that can no longer be restored. */
export const oldDeletedViews: Leftovers = {
  table: "deleted_views",
  conditionSql: "deleted_at < now() - interval '1 day'",
};

const maxDeletedShown = 10;

/** Lists the views that a user may restore, the last deleted first. */
export function listDeletedViews(reader: Reader) {
  return query<Pick<SavedView, "id" | "name">>(
    db(),
    `select v.id, v.name from deleted_views v where ${isEditableSql}
     order by v.deleted_at desc, v.id desc limit ${maxDeletedShown}`,
    editorBindings(reader),
  );
}

/**
 * Deletes a view, which can be restored for a day. A view that is deleted already stays so.
 * @throws DomainError not_found
 */
export async function deleteView(id: string, options: ViewOptions) {
  return moveView("delete", id, ["saved_views", "deleted_views"], options, async (trx, view) => {
    await query(
      trx,
      `with deleted as (delete from saved_views where id = :id returning *)
       insert into deleted_views (${viewColumns}, is_default)
       select ${viewColumns}, is_default from deleted`,
      { id: view.id },
    );
    const details = { view: view.name, parameters: view.parameters };
    await recordAction(trx, options.actor, "user.view_deleted", view.subjectId, { details });
  });
}

/**
 * Restores a deleted view. A view that is restored already stays so.
 * @throws DomainError not_found; invalid: `fields.name`, when another view has its name or too many are shared
 */
export async function restoreView(id: string, options: ViewOptions) {
  return moveView("restore", id, ["deleted_views", "saved_views"], options, async (trx, view) => {
    if (view.isShared) await requireSharedRoom(trx);
    const restored = await one(
      trx,
      `with restored as (delete from deleted_views where id = :id returning *)
       insert into saved_views (${viewColumns}, is_default) overriding system value
       select ${viewColumns}, is_default and not exists (
         select from saved_views where user_id = :userId and is_default)
       from restored where user_id is null or ${hasRoomSql}
       returning id`,
      { id: view.id, userId: view.userId },
    );
    if (!restored) throw tooManyViews();
    await recordAction(trx, options.actor, "user.view_restored", view.subjectId, {
      details: { view: view.name },
    });
  });
}

/** Columns that a deleted view shares with a saved one, beside `is_default`. */
const viewColumns = "id, user_id, name, parameters, is_shared, version, created_at";

/**
 * Moves a view from one table to the other, once: a repeated attempt finds it there.
 * @throws DomainError not_found; invalid: `fields.name`, when another view has its name
 */
function moveView(
  action: string,
  id: string,
  [from, to]: [ViewTable, ViewTable],
  options: ViewOptions,
  move: (trx: Knex.Transaction, view: LockedView) => Promise<void>,
): Promise<LockedView> {
  const { actor } = options;
  return changeViews(action, options, { id }, async (trx) => {
    const view = await lockView(trx, actor, id, from);
    if (view) await move(trx, view);
    const moved = view ?? (await lockView(trx, actor, id, to));
    if (!moved) throw viewNotFound();
    return moved;
  });
}
