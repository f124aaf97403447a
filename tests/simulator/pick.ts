import { randomInt } from "node:crypto";
import { db, query } from "../../app/db/connection.server";
import {
  clockBindings,
  clockSql,
  joinGenerationSql,
} from "../../app/features/promotions/promotion-sql.server";
import { joinCapsSql } from "../../app/features/caps/cap-sql.server";
import { acceptanceAtAnyPriceSql } from "../../app/features/redemptions/redemption-sql.server";

/** Code that a machine scans. */
export type Pick = { code: string; serialNumber: string };

export type Picks = {
  /** Codes at machines that accept them. */
  accepted: Pick[];
  /** Codes at machines that refuse them, each for a reason. */
  refused: Pick[];
};

const maxPairs = 5_000;

/** Codes and machines of the database as it is now, in no order. */
export async function readPicks(): Promise<Picks> {
  const rows = await query<Pick & { verdict: string }>(
    db(),
    `with ${clockSql}, codes as (
       select * from promotions order by id desc limit 1000
     ), anywhere as materialized (
       select * from machines order by random() limit 3
     ), pairs as (
       select p.code, m.serial_number as "serialNumber", ${acceptanceAtAnyPriceSql} as verdict
       from codes p
       cross join lateral (
         (select machines.* from machines
            join assigned_machines a on a.machine_id = machines.id and a.set_id = p.set_id
          limit 6)
         union all
         select * from anywhere
       ) m
       ${joinGenerationSql}
       ${joinCapsSql}
     )
     select * from pairs order by random() limit :maxPairs`,
    { ...clockBindings(), maxPairs },
  );
  const pick = (isWanted: (verdict: string) => boolean): Pick[] =>
    rows
      .filter(({ verdict }) => isWanted(verdict))
      .map(({ code, serialNumber }) => ({ code, serialNumber }));
  return {
    accepted: pick((verdict) => verdict === "accepted"),
    // A machine that is not known counts as a guess, and guesses are throttled.
    refused: pick((verdict) => verdict !== "accepted" && verdict !== "machine_unknown"),
  };
}

export function oneOf<Kind>(choices: readonly Kind[]): Kind | undefined {
  return choices.length > 0 ? choices[randomInt(choices.length)] : undefined;
}
