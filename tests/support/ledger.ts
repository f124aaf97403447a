import { randomBytes } from "node:crypto";
import type pg from "pg";
import { generateCodes } from "../../app/features/promotions/code";
import { hashSecret, newSecret } from "../../app/features/sign-in/tokens.server";

export const redeemableSerials = ["VM-1", "VM-2", "VM-3", "VM-4"];

/** Inserts an integration with a key, and machines. @returns the key */
export async function insertKeyAndMachines(
  client: pg.Client,
  serials: readonly string[],
): Promise<string> {
  const key = newSecret("vqm_");
  await client.query(
    `with integration as (insert into integrations (name) values ('Platform') returning id)
     insert into api_keys (integration_id, hash, last_four, scopes, expires_at)
     select id, $1, $2, '{redeem}', now() + interval '1 day' from integration`,
    [hashSecret(key), key.slice(-4)],
  );
  await client.query(
    "insert into machines (serial_number, human_name) select unnest($1::text[]), 'Lobby'",
    [serials],
  );
  return key;
}

/**
 * Inserts machines, a key, and codes of each kind: unlimited ones, and ones that are used up on the way. Half of
 * them are not assigned to the last machine.
 */
export async function insertRedeemables(
  client: pg.Client,
): Promise<{ codes: string[]; key: string }> {
  const codes = generateCodes(40, randomBytes);
  const key = await insertKeyAndMachines(client, redeemableSerials);
  await client.query(
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
       max_uses)
     select code, 'Fault', case at % 4 when 0 then 'percentage' else 'free_drink' end,
       case at % 4 when 0 then 25 when 1 then 1 when 2 then 50 else 1000 end, at % 4 = 1, at % 8 = 3,
       case at % 4 when 0 then null when 1 then 1 when 2 then 50 else 1000 end
     from unnest($1::text[]) with ordinality as listed (code, at)`,
    [codes],
  );
  await client.query(
    `insert into assignments (set_id, machine_id)
     select p.set_id, m.id from promotions p, machines m
     where m.serial_number <> 'VM-4' or p.id % 2 = 0`,
  );
  await client.query("update assignment_sets set is_assigned = true");
  return { codes, key };
}
