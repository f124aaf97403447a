/** Reads requests for a second admin. */
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { namesIn, queryPage, type PageQuery } from "../../db/pages.server";
import { notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { wasDoneSql } from "../activity/past-actions.server";
import type { Reader } from "../sign-in/user";
import type { Approval } from "./approval";

const maxAge = "interval '14 days'";

/** Condition of requests `a` that wait. */
export const isWaitingSql = `a.state = 'pending' and a.asked_at > now() - ${maxAge}`;

const selectSql = `select a.id, a.kind, a.input, a.name, a.codes, a.asked_by, coalesce(u.email, 'A deleted user') as asked_by_email,
    a.asked_at,
    case
      when a.state = 'pending' and not (${isWaitingSql}) then 'expired'
      when a.state = 'refused' and ${wasDoneSql("approval.withdrawn", "a.id")} then 'withdrawn'
      else a.state
    end as state,
    a.decided_by, a.decided_at, a.result
  from approvals a left join users u on u.id = a.asked_by`;

type ApprovalReader = Reader & { id: string };

/** People see what they asked for, admins all. */
const visibleSql = "(a.asked_by = :userId or :isAdmin)";

function readerBindings({ id, role }: ApprovalReader) {
  return { userId: id, isAdmin: role === "admin" };
}

/** Lists requests, the newest first. */
export function listApprovals(reader: ApprovalReader, page: PageQuery) {
  const rows = `${selectSql} where ${visibleSql} order by a.id desc limit :perPage offset :offset`;
  const from = `approvals a where ${visibleSql}`;
  return queryPage<Approval>({ from, rows }, readerBindings(reader), page);
}

/** @throws DomainError not_found, also for malformed ids and requests of others, unless the reader is an admin */
export async function getApproval(id: string, reader: ApprovalReader): Promise<Approval> {
  const approval = await one<Approval>(db(), `${selectSql} where a.id = :id and ${visibleSql}`, {
    id: parseRecordId(id),
    ...readerBindings(reader),
  });
  if (!approval) throw notFound("Approval not found");
  return approval;
}

/** Lists requests that wait, the oldest first. */
export function listPendingApprovals(limit: number): Promise<Approval[]> {
  return query(db(), `${selectSql} where ${isWaitingSql} order by a.asked_at, a.id limit :limit`, {
    limit,
  });
}

/** Counts requests that wait and want codes for a machine group. */
export function countPendingOfGroup(groupId: string): Promise<number> {
  return readValue(
    db(),
    `select count(*)::integer from approvals a
     where ${isWaitingSql} and a.input -> 'groups' @> to_jsonb(cast(:groupId as text))`,
    { groupId },
  );
}

/** Finds the newest request for another limit that waits. */
export function findLimitRequest(
  database: Database = db(),
): Promise<Pick<Approval, "id" | "name"> | null> {
  return one(
    database,
    `select a.id, a.name from approvals a where a.kind = 'limit' and ${isWaitingSql} order by a.id desc limit 1`,
  );
}

/** Finds the id of the request for a file that waits. */
export async function findImportRequest(
  importId: string,
  database: Database = db(),
): Promise<string | null> {
  const request = await one<{ id: string }>(
    database,
    `select a.id from approvals a where a.kind = 'import' and a.input ->> 'id' = :importId and ${isWaitingSql}`,
    { importId },
  );
  return request?.id ?? null;
}

export const approvalNames = namesIn("approvals", "name");
