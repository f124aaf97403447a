import { db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { loadSettings } from "../../app/features/settings/settings.server";

/** Changes settings of the site, and reads them again in this process. */
export async function changeSettings(values: Record<string, unknown>): Promise<void> {
  await db()("site_settings").update(values);
  await loadSite();
  await loadSettings();
}
