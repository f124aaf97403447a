import { db, one } from "../../db/connection.server";
import { allOf, containsPattern, queryPage, type PageQuery } from "../../db/pages.server";
import { isSinceDaySql, isUntilDaySql, siteTimeZone } from "../../db/site.server";
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import type { SiteFormat } from "../../format/site";
import { environment } from "../../env.server";
import { findCode, findCodeEnd } from "../../forms/code-input";
import { createdIntervals } from "../../lists/list";
import { machineBySerialSql } from "../machines/machines.server";
import type { ReachableCap } from "../caps/cap";
import type { Reader } from "../sign-in/user";
import { findPromotionId } from "../promotions/promotions.server";
import type { RefusalFilters } from "./refusal-list";
import { describeRefusal, formatAttempted, type RefusalReason } from "./refusal-reason";

type RefusalRow = {
  id: string;
  createdAt: Date;
  /** A code, or the text that is none, cut and printable. */
  code: string;
  promotion: { id: string; name: string } | null;
  serialNumber: string;
  /** null if no machine has that serial number. */
  humanName: string | null;
  originalPrice: number;
  reason: RefusalReason;
  cap: ReachableCap | null;
};

const maxCounted = 10_000;

/** Lists refused attempts, newest first. */
export async function listRefusals(filters: RefusalFilters, pageQuery: PageQuery) {
  const { sql, bindings } = await conditionOf(filters);
  const { rows, total, page } = await queryPage<RefusalRow>(
    {
      from: `(select from redemption_attempts a where ${sql} limit ${maxCounted + 1}) counted`,
      rows: `select a.id, a.created_at, a.code, a.serial_number, m.human_name, a.original_price,
          a.outcome as reason, a.cap,
          case when p.id is not null then json_build_object('id', p.id::text, 'name', p.name) end
            as promotion
        from (select * from redemption_attempts a where ${sql}
          order by created_at desc, id desc limit :perPage offset :offset) a
          left join promotions p on p.id = a.promotion_id left join machines m on m.id = a.machine_id
        order by a.created_at desc, a.id desc`,
    },
    bindings,
    pageQuery,
  );
  const count = Math.min(total, maxCounted);
  return { rows, total: { count, isCapped: total > maxCounted }, page };
}

async function conditionOf(filters: RefusalFilters) {
  const { created, createdAfter, createdBefore, reason } = filters;
  const [ofCode, ofMachine] = await Promise.all([
    codeCondition(filters),
    machineCondition(filters),
  ]);
  const conditions = [
    "a.outcome <> 'accepted'",
    created && "a.created_at > now() - cast(:within as interval)",
    createdAfter && isSinceDaySql("a.created_at", "createdAfter"),
    createdBefore && isUntilDaySql("a.created_at", "createdBefore"),
    reason && "a.outcome = :reason",
    ofCode.sql,
    ofMachine.sql,
  ];
  const bindings = {
    createdAfter,
    createdBefore,
    reason,
    timeZone: siteTimeZone(),
    ...ofCode.bindings,
    ...ofMachine.bindings,
    within: created && createdIntervals[created],
  };
  return { sql: allOf(conditions), bindings };
}

async function codeCondition({ code: text }: RefusalFilters) {
  if (text === "") return {};
  const code = findCode(text, environment().qrPayload);
  const promotionId = code && (await findPromotionId(code));
  if (promotionId) return { sql: "a.promotion_id = :promotionId", bindings: { promotionId } };
  const end = findCodeEnd(text);
  if (end === null) return { sql: "a.code = :code", bindings: { code: code ?? text } };
  // An attempt at a code that does not exist is shown like one of a code, to viewers by its end.
  return {
    sql: `a.code = :code
      or a.promotion_id = any(array(select p.id from promotions p where p.code like :codeEnd))
      or a.promotion_id is null and a.code like :codeEnd and a.code ~ '^[0-9A-Z]{8,32}$'`,
    bindings: { code: text, codeEnd: `%${end}` },
  };
}

/**
 * Machines that nobody knows have no row: their attempts are found by the serial number that was sent. Once there is such
 * a machine, only its own attempts match, because its counts leave out earlier ones.
 */
async function machineCondition({ machine: text }: RefusalFilters) {
  if (text === "") return {};
  const machine = await one<{ id: string }>(db(), `select m.id from ${machineBySerialSql} m`, {
    serialNumber: text,
  });
  if (machine) return { sql: "a.machine_id = :machineId", bindings: { machineId: machine.id } };
  return {
    sql: `a.machine_id = any(array(select id from machines where human_name ilike :pattern
        or serial_number ilike :pattern))
      or a.machine_id is null and a.serial_number ilike :pattern`,
    bindings: { pattern: containsPattern(text) },
  };
}

export type RefusalView = ReturnType<typeof toRefusalView>;

export function toRefusalView(
  row: RefusalRow,
  { timeZone, currency }: Pick<SiteFormat, "timeZone" | "currency">,
  reader: Reader,
) {
  return {
    id: row.id,
    occurredAt: formatDateTime(row.createdAt, timeZone),
    code: formatAttempted(row.code, reader),
    promotion: row.promotion,
    machine: { serialNumber: row.serialNumber, humanName: row.humanName },
    reason: describeRefusal(row.reason, row.cap),
    price: formatCents(row.originalPrice, currency),
  };
}
