/** Machines as the API speaks of them (core §3, §7). */
import * as z from "zod/mini";
import { DomainError } from "../../errors";
import type { Machine } from "./machine";

export type ApiMachine = ReturnType<typeof toApiMachine>;

export function toApiMachine(machine: Machine) {
  return {
    serialNumber: machine.serialNumber,
    humanName: machine.humanName,
    lastQrUsed: machine.lastQrUsed?.toISOString() ?? null,
    activePromotions: machine.activePromotions,
    isDeleted: machine.isDeleted,
  };
}

const addMachinesBody = z.strictObject({
  machines: z.array(
    z.strictObject({ serialNumber: z.string(), humanName: z.optional(z.string()) }),
  ),
});

/**
 * The body of `POST /api/promotion/{id}/add-machines`. A machine's name is what the platform says;
 * the one that is sent counts for nothing.
 * @returns serial numbers
 * @throws DomainError invalid, with a sentence for each field
 */
export function parseAddMachines(body: unknown): string[] {
  const parsed = addMachinesBody.safeParse(body);
  if (parsed.success) return parsed.data.machines.map(({ serialNumber }) => serialNumber);
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0)
      for (const key of issue.keys.slice(0, 5)) fields[key] = "This field is not known";
    else fields.machines = "Machines must be a list of {serialNumber, humanName}";
  }
  throw new DomainError("invalid", Object.values(fields)[0]!, fields);
}
