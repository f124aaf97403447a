import { siteTimeZone } from "../../db/site.server";
import type { Actor } from "../activity/audit-log.server";
import { lastDay } from "../promotions/expiry-date";
import type { EditFormFacts } from "../promotions/form/promotion-forms";
import { changeLifecycle } from "../promotions/lifecycle/promotion-lifecycle.server";
import type { MassGeneration } from "./mass-generation.server";

/** @param today YYYY-MM-DD in the site's zone */
export function generationEditFacts({ expiresAt }: MassGeneration, today: string): EditFormFacts {
  return {
    today,
    heldDay: expiresAt && lastDay(expiresAt, siteTimeZone()),
    hasName: true,
    // Without one it is renewable, or valid without end.
    hasExpiration: expiresAt !== null,
    isOnlyExtended: true,
  };
}

type GenerationEdit = {
  name: string | null;
  /** The last valid day, YYYY-MM-DD in the site's zone; null keeps the expiration. */
  expirationDate: string | null;
  /** The one that the editor saw. */
  version: number;
};

/**
 * Renames a mass generation and moves its expiration to a later day, each an action of its own that
 * is written to the generation first and followed by its codes. Nothing is left to do for a value
 * that it has already.
 * @throws DomainError not_found; conflict: it is deleted or has changed meanwhile; invalid
 */
export async function editGeneration(
  id: string,
  { name, expirationDate, version }: GenerationEdit,
  { actor, idempotencyKey }: { actor: Actor; idempotencyKey: string | null },
): Promise<void> {
  const subject = { type: "mass_generation", id } as const;
  const keyFor = (action: string) => idempotencyKey && `${idempotencyKey}-${action}`;
  const renamed = await changeLifecycle(subject, "rename", {
    actor,
    name,
    version,
    idempotencyKey: keyFor("rename"),
  });
  if (expirationDate === null) return;
  await changeLifecycle(subject, "extend", {
    actor,
    lastDay: expirationDate,
    version: version + Number(renamed.changed),
    idempotencyKey: keyFor("extend"),
  });
}
