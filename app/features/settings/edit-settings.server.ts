/** Changes of the settings, and the logo. */
import type { Knex } from "knex";
import { db, one } from "../../db/connection.server";
import { notFound, requireVersion } from "../../errors";
import { changesBetween, recordAction, type Actor } from "../activity/audit-log.server";
import { type ActionOptions, optionsOf, runOnce } from "../activity/idempotency.server";
import { readChosenPicture, type NewPicture } from "../pictures/picture-image.server";
import { logoField, type SettingName, type Settings } from "./setting";
import {
  columnOf,
  effectiveSettings,
  fixedSettings,
  loadSettings,
  lockSettings,
  readStoredSettings,
} from "./settings.server";

/** Twice as large as the largest place that shows it, for sharp screens. */
const logoSize = { width: 480, height: 96, fit: "inside" } as const;

/** Returns the logo of the form; null if none was chosen. @throws DomainError invalid: `fields.logo` */
export function readChosenLogo(posted: FormData): Promise<NewPicture | null> {
  return readChosenPicture(posted, logoField, logoSize);
}

export type SettingsEdit = Partial<Settings> & { removeLogo: boolean; version: number };

/**
 * Saves settings and logo, once for each idempotency key, with one entry of the audit log. Values of settings that the
 * environment decides are ignored. `approvalCodes` needs a second admin: it is not saved, but its version is checked.
 * Repeating a save is no conflict.
 * @param logo the new one; null leaves it, unless the edit removes it
 * @throws DomainError conflict: somebody else saved meanwhile
 */
export async function saveSettings(
  { version, removeLogo, ...values }: SettingsEdit,
  logo: NewPicture | null,
  options: ActionOptions,
): Promise<void> {
  const { actor } = options;
  const input = { ...values, removeLogo, logo: logo?.digest };
  await runOnce(optionsOf("settings", options), input, async (trx) => {
    await lockSettings(trx);
    const stored = await readStoredSettings(trx);
    const changes = changesBetween(effectiveSettings(stored), ownValues(values));
    const logoChange = logoChangeOf(stored.logo, logo, removeLogo);
    const names = Object.keys(changes) as SettingName[];
    const isSame = names.length === 0 && !logoChange;
    const { approvalCodes = stored.approvalCodes } = values;
    if (isSame && approvalCodes === stored.approvalCodes) return;
    requireVersion(stored.version, version, "Someone else saved this page");
    if (isSame) return;
    if (logoChange) await storeLogo(trx, logo);
    await trx("site_settings").update({
      ...Object.fromEntries(names.map((name) => [columnOf(name), values[name]])),
      version: stored.version + 1,
    });
    const details = Object.fromEntries(names.map((name) => [columnOf(name), changes[name]]));
    await recordAction(trx, actor, "site.settings_changed", "1", {
      details: { ...details, ...(logoChange && { logo: logoChange }) },
    });
  });
  await loadSettings();
}

/** Changes the limit of codes that one person makes, which a second admin approved. @param actor asked for it */
export async function saveApprovalCodes(
  trx: Knex,
  approvalCodes: number | null,
  actor: Actor,
): Promise<void> {
  await lockSettings(trx);
  const { approvalCodes: from, version } = await readStoredSettings(trx);
  await trx("site_settings").update({ approval_codes: approvalCodes, version: version + 1 });
  await recordAction(trx, actor, "site.settings_changed", "1", {
    details: { approval_codes: { from, to: approvalCodes } },
  });
}

/** Returns what one admin may save. */
function ownValues(values: Partial<Settings>): Partial<Settings> {
  const others = { ...fixedSettings(), approvalCodes: null };
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in others)));
}

/** Returns the names of the old and the new file; null if the logo stays. */
function logoChangeOf(
  existing: { digest: string; name: string } | null,
  logo: NewPicture | null,
  isRemoved: boolean,
) {
  if (logo ? logo.digest === existing?.digest : !existing || !isRemoved) return null;
  return { from: existing?.name ?? null, to: logo?.name ?? null };
}

async function storeLogo(trx: Knex.Transaction, logo: NewPicture | null): Promise<void> {
  await trx("site_logo").delete();
  if (logo) await trx("site_logo").insert(logo);
}

/** @throws DomainError not_found: there is none */
export async function readLogo(): Promise<{ id: string; content: Buffer }> {
  const logo = await one<{ id: string; content: Buffer }>(
    db(),
    "select digest as id, content from site_logo",
  );
  if (!logo) throw notFound("There is no logo");
  return logo;
}
