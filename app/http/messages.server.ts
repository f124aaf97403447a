import { randomBytes } from "node:crypto";
import { redirect } from "@remix-run/node";
import { one, primaryDb, query } from "../db/connection.server";
import type { Leftovers } from "../db/sweep.server";
import { flashParam, rowsMessagePrefix } from "../lists/list-params";
import type { RouteArgs, Session } from "./sessions.server";

export const unreadMessages: Leftovers = {
  table: "flash_messages",
  conditionSql: "created_at < now() - interval '1 day'",
};

export type Message = {
  id: string;
  kind: "success" | "info" | "warning" | "error";
  text: string;
  /** Duration of the toast in ms, with scripts. */
  hideAfterMs: number;
  /** Address that a button of the message posts to, to undo what it tells. */
  undoPath: string | null;
};

export type NewMessage = Pick<Message, "kind" | "text"> &
  Partial<Message> & {
    /** The list of the next page shows it once its rows are read: it is false if they can't be. */
    isAboutRows?: boolean;
  };

/**
 * Keeps a message for the next page and sends the browser there (303). A session that ended while its request was
 * running gets no message: what was done is done all the same, and the next page leads to the sign-in page.
 */
export async function redirectWithMessage(
  session: Session,
  to: string,
  { kind, text, hideAfterMs = 4_000, undoPath = null, isAboutRows = false }: NewMessage,
): Promise<Response> {
  const id = (isAboutRows ? rowsMessagePrefix : "") + randomBytes(9).toString("base64url");
  const stored = await one(
    primaryDb(),
    `insert into flash_messages (id, session_id_hash, kind, message, hide_after_ms, undo_path)
     select :id, id_hash, :kind, :text, :hideAfterMs, :undoPath from sessions
     where id_hash = :idHash for key share returning id`,
    { id, idHash: session.idHash, kind, text, hideAfterMs, undoPath },
  );
  if (!stored) return redirect(to, 303);
  const { pathname, searchParams, hash } = new URL(to, "http://local.invalid");
  // The page may still have the message of the form before in its address.
  searchParams.set(flashParam, id);
  return redirect(`${pathname}?${searchParams}${hash}`, 303);
}

/**
 * The message that the address names; it is read once, by its own session, by no prefetch.
 * @param prefix `rowsMessagePrefix` for one about rows, which their list takes
 */
export async function takeMessages(
  { request }: RouteArgs,
  session: Session,
  prefix = "",
): Promise<Message[]> {
  const id = new URL(request.url).searchParams.get(flashParam);
  if (!id?.startsWith(prefix) || !/^[\w-]{12}$/.test(id.slice(prefix.length))) return [];
  if (request.method === "HEAD" || request.headers.get("Sec-Purpose")?.includes("prefetch"))
    return [];
  return query<Message>(
    primaryDb(),
    `delete from flash_messages where id = :id and session_id_hash = :idHash
     returning id, kind, message as text, hide_after_ms, undo_path`,
    { id, idHash: session.idHash },
  );
}
