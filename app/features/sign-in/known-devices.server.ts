/** Browsers and networks from which users signed in: a new one is told by mail (RULES H22). */
import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import type { Actor } from "../activity/audit-log.server";
import { notifyUser } from "./account-notices.server";
import { describeBrowser } from "./browser-name";
import { networksOf } from "./attempt-limits.server";

/** How many a user has: a new one replaces the one that was unused for longest. */
const maxDevices = 30;

/** Remembers the device of a sign-in, and tells its user if it is new and not the first one. */
export async function rememberDevice(trx: Knex, actor: Actor): Promise<void> {
  const device = await one<{ isNew: boolean; isFirst: boolean }>(
    trx,
    `with forgotten as (
       delete from known_devices where user_id = :userId and (browser, network) in (
         select browser, network from known_devices
         where user_id = :userId and (browser, network) <> (:browser, :network)
         order by last_seen_at desc offset ${maxDevices - 1})
     )
     insert into known_devices (user_id, browser, network) values (:userId, :browser, :network)
     on conflict (user_id, browser, network) do update set last_seen_at = now()
     returning xmax = 0 as is_new,
       not exists (select from known_devices k where k.user_id = :userId) as is_first`,
    {
      userId: actor.id,
      browser: describeBrowser(actor.userAgent ?? ""),
      network: networksOf(actor.address ?? "")[0],
    },
  );
  if (device?.isNew && !device.isFirst) await notifyUser(trx, actor.id, "new_device", { actor });
}
