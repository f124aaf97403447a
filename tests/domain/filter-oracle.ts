/** The filters of the list of codes, decided row by row: what SQL has to agree with. */
import { db } from "../../app/db/connection.server";
import { type PromotionFilters } from "../../app/features/promotions/list/promotion-filters";
import { promotionStatus } from "./status-oracle";

const zone = "Europe/Berlin";
export const day = 24 * 60 * 60 * 1_000;
export const localDay = new Intl.DateTimeFormat("en-CA", { timeZone: zone });

/** Facts that the predicate reads: a row with all machines that it is assigned to. */
export type Fact = {
  id: string;
  name: string;
  code: string;
  mass_generation_id: string | null;
  discount_type: string;
  /** When the last use was accepted that was not rolled back. */
  used_at: Date | null;
  is_single_use: boolean;
  is_renewable: boolean;
  is_active: boolean;
  is_assigned: boolean;
  is_deleted: boolean;
  max_uses: number | null;
  period_key: number;
  period_uses: number;
  activation_count: number;
  expires_at: Date | null;
  /** That of its mass generation, or else its own. */
  starts_at: Date | null;
  /** Whether its hours, or its mass generation's, are none. */
  is_closed: boolean;
  created_at: Date;
  machines: { serial: string; name: string }[];
  groups: string[];
};
export async function readFacts(): Promise<Fact[]> {
  const { rows } = await db().raw<{ rows: Fact[] }>(
    `select p.*, s.is_assigned,
       coalesce(p.open_minutes, (select g.open_minutes from mass_generations g where g.id = p.mass_generation_id)) = '{}'
         is true as is_closed,
       coalesce(p.starts_at, (select g.starts_at from mass_generations g where g.id = p.mass_generation_id)) as starts_at,
       (select max(created_at) from transactions t
        where t.promotion_id = p.id and t.status = 'applied') as used_at,
       coalesce((
       select jsonb_agg(jsonb_build_object('serial', m.serial_number, 'name', m.human_name))
       from machines m where m.id in (
         select coalesce(a.machine_id, member.machine_id) from assignments a
         left join machine_group_members member using (group_id)
         where a.set_id = p.set_id
       )), '[]') as machines,
       array(select a.group_id::text from assignments a
         where a.set_id = p.set_id and a.group_id is not null) as groups
     from promotions p join assignment_sets s on s.id = p.set_id`,
  );
  return rows;
}

const has = (text: string, needle: string) => text.toLowerCase().includes(needle.toLowerCase());

/** Every filter once more, in TypeScript. */
export function matches(row: Fact, filters: PromotionFilters, now: Date): boolean {
  const status = promotionStatus(
    {
      isDeleted: row.is_deleted,
      isActive: row.is_active,
      isAssigned: row.is_assigned,
      isRenewable: row.is_renewable,
      expiresAt: row.expires_at,
      startsAt: row.starts_at,
      maxUses: row.max_uses,
      periodKey: row.period_key,
      periodUses: row.period_uses,
    },
    now,
    zone,
  );
  const local = localDay.format(row.created_at);
  const since = new Date(now);
  if (filters.created === "2m") since.setUTCMonth(since.getUTCMonth() - 2);
  else since.setTime(now.getTime() - (filters.created === "30d" ? 30 : 7) * day);
  const isExpired = row.expires_at !== null && row.expires_at <= now;
  // Lower case: the upper case of "ſ" is an S, which a random code may hold.
  const code = filters.text.replace(/[\s-]/g, "").toLowerCase();
  const ownCode = row.code.toLowerCase();
  const isCode =
    filters.codesBy === "end"
      ? code === ownCode || code === ownCode.slice(-4)
      : code !== "" && (code.length < 3 ? ownCode.startsWith(code) : ownCode.includes(code));
  const isUsedUpForGood =
    !row.is_renewable && row.max_uses !== null && row.period_uses >= row.max_uses;
  const completedAt = isUsedUpForGood ? row.used_at : isExpired ? row.expires_at : null;
  const completed = completedAt && localDay.format(completedAt);
  const starts = row.starts_at && localDay.format(row.starts_at);
  const wanted = (filter: boolean | null, value: boolean) => filter === null || filter === value;
  return (
    (filters.deleted === "with" || row.is_deleted === (filters.deleted === "only")) &&
    (!filters.createdAfter || local >= filters.createdAfter) &&
    (!filters.createdBefore || local <= filters.createdBefore) &&
    (!filters.created || row.created_at > since) &&
    (!filters.type || (filters.type === "single") === (row.mass_generation_id === null)) &&
    (!filters.discountType || filters.discountType === row.discount_type) &&
    (!filters.expires || matchesExpiration(row, filters.expires, now)) &&
    (!filters.use || uses(row).includes(filters.use)) &&
    (!filters.startsAfter || (starts !== null && starts >= filters.startsAfter)) &&
    (!filters.startsBefore || (starts !== null && starts <= filters.startsBefore)) &&
    wanted(filters.isRunning, status === "active" && !row.is_closed) &&
    (!filters.completedAfter || (completed !== null && completed >= filters.completedAfter)) &&
    (!filters.completedBefore || (completed !== null && completed <= filters.completedBefore)) &&
    (!filters.status || filters.status === status) &&
    wanted(filters.isUsed, row.activation_count > 0) &&
    wanted(filters.isReusable, !row.is_single_use) &&
    wanted(filters.isExpired, isExpired) &&
    wanted(filters.isIndefinite, row.expires_at === null) &&
    (!filters.massGenerationId || filters.massGenerationId === row.mass_generation_id) &&
    (filters.text === "" || isCode || (filters.text.length > 2 && has(row.name, filters.text))) &&
    (filters.massGeneration === "" ||
      (row.mass_generation_id !== null && has(row.name, filters.massGeneration))) &&
    (!filters.groupId || row.groups.includes(filters.groupId)) &&
    ((filters.serialNumber === "" && filters.controller === "" && filters.machine === "") ||
      row.machines.some(
        ({ serial, name }) =>
          has(serial, filters.serialNumber) &&
          has(name, filters.controller) &&
          (has(serial, filters.machine) || has(name, filters.machine)),
      ))
  );
}

function matchesExpiration(
  { expires_at }: Fact,
  choice: NonNullable<PromotionFilters["expires"]>,
  now: Date,
): boolean {
  if (choice === "none") return expires_at === null;
  const isAhead = expires_at === null || expires_at > now;
  if (choice === "ahead" || choice === "passed") return isAhead === (choice === "ahead");
  const days = choice === "7d" ? 7 : 30;
  return isAhead && expires_at !== null && expires_at.getTime() <= now.getTime() + days * day;
}

const uses = ({ activation_count, is_single_use }: Fact) => [
  activation_count > 0 ? "used" : "unused",
  is_single_use ? "once" : "reusable",
];
