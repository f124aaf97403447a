/** Campaigns that end soon or that no machine accepts, for alerts. */
import { db, query } from "../../db/connection.server";
import type { CampaignRef } from "../activity/subject";
import { generationRowsSql } from "./list/campaigns.server";
import { clockBindings, clockSql, isUsableSql, statusConditions } from "./promotion-sql.server";

type CampaignToMend = CampaignRef & {
  name: string;
  /** Exclusive; null never ends. */
  expiresAt: Date | null;
};

/** Whether the mass generation `g` lets its codes be redeemed, at whichever machines they are. */
const isRedeemableSql = `not g.is_deleted and g.is_active
  and coalesce(g.expires_at, 'infinity') > (select at from clock)`;

/** Reads the codes of a generation until one is found: 'offset 0' keeps PostgreSQL from joining all codes. */
const hasUsableCodeSql = `exists (
  select from promotions p where p.mass_generation_id = g.id and ${isUsableSql} offset 0)`;

/** Lists campaigns that end within 7 days and are not used up, the first to end first. */
export function listEndingCampaigns(limit: number): Promise<CampaignToMend[]> {
  const isNear = "<= (select at from clock) + interval '7 days'";
  return query(
    db(),
    `with ${clockSql}
     select * from (
       (select 'promotion' as type, p.id, p.name, p.expires_at from promotions p
        where p.mass_generation_id is null and ${isUsableSql} and coalesce(p.expires_at, 'infinity') ${isNear}
        order by coalesce(p.expires_at, 'infinity'), p.id limit :limit)
       union all
       (select 'mass_generation', g.id, g.name, g.expires_at from mass_generations g
        where ${isRedeemableSql} and g.expires_at ${isNear} and ${hasUsableCodeSql}
        order by g.expires_at, g.id limit :limit)
     ) campaigns order by expires_at, type, id limit :limit`,
    { ...clockBindings(), limit },
  );
}

/**
 * Lists campaigns that are 'not assigned', the newest first. Sets without an assignment are few; that of a mass
 * generation is left out among those of single codes, because all its codes have it.
 */
export function listUnassignedCampaigns(limit: number): Promise<CampaignToMend[]> {
  return query(
    db(),
    `with ${clockSql}, unassigned as materialized (
       select s.id, g.id as generation_id
       from assignment_sets s left join mass_generations g on g.set_id = s.id where not s.is_assigned
     )
     select type, id, name, expires_at from (
       (select 'promotion' as type, p.id, p.name, p.expires_at, p.created_at
        from (select id from unassigned where generation_id is null) own
          cross join lateral (select * from promotions p where p.set_id = own.id and ${isUsableSql} offset 0) p
        where p.mass_generation_id is null
        order by p.id desc limit :limit)
       union all
       (select 'mass_generation', p.mass_generation_id, p.name, p.expires_at, p.created_at
        from unassigned join ${generationRowsSql} on p.mass_generation_id = unassigned.generation_id
        where ${statusConditions.not_assigned} order by p.mass_generation_id desc limit :limit)
     ) campaigns order by created_at desc, type, id desc limit :limit`,
    { ...clockBindings(), limit },
  );
}
