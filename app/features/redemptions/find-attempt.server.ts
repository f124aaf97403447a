import { prepareStatement, queryPrepared } from "../../db/connection.server";
import { canBeIntegrationKey, hashSecret } from "../sign-in/tokens.server";
import { siteOf } from "./redemption-sql.server";

/** The id and the time of an attempt, which lead to its partition. */
type FoundAttempt = { attemptId: string; attemptedAt: string };

/** Stands for the attempt of a redemption id that was rolled back before it arrived. */
export const noAttemptId = "0";

const attemptStatement = prepareStatement(
  "find an attempt",
  ["hash", "redemptionId"],
  `select a.attempt_id, cast(a.created_at as text) as attempted_at from redemption_ids a
   where a.redemption_id = cast(:redemptionId as text) and a.integration_id = (
     select k.integration_id from api_keys k where k.hash = cast(:hash as bytea))`,
);

/** Finds the attempt with which the integration of a key used a redemption id. */
export async function findAttempt(redemptionId: string, secret: string) {
  if (!canBeIntegrationKey(secret)) return null;
  const values = { hash: hashSecret(secret), redemptionId };
  const rows = await queryPrepared<FoundAttempt>(attemptStatement, values, siteOf(secret));
  return rows[0] ?? null;
}
