import { db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { settingNames, settingRow } from "../../app/features/settings/setting";
import { loadSettings } from "../../app/features/settings/settings.server";

/** Changes settings of the site, and reads them again in this process. */
export async function changeSettings(values: Record<string, unknown>): Promise<void> {
  await db()("site_settings").update(values);
  await loadSite();
  await loadSettings();
}

/** The fields of the settings' form as the site has them at first; boxes that are not ticked are not sent. */
export const initialSettingFields: Record<string, string> = Object.fromEntries(
  settingNames
    .map((name) => [name, settingRow(name)] as const)
    .filter(([, { control }]) => control.type !== "tick")
    .map(([name, { initial }]) => [name, String(initial ?? "")]),
);
