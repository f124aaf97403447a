/** Machines as the API reads and writes them. */
import * as z from "zod/mini";
import type { Machine } from "./machine";

export function toApiMachine(machine: Machine) {
  return {
    serialNumber: machine.serialNumber,
    humanName: machine.humanName,
    lastQrUsed: machine.lastQrUsed?.toISOString() ?? null,
    activePromotions: machine.activePromotions,
    isDeleted: machine.isDeleted,
  };
}

/**
 * Body of `POST /api/promotion/{id}/add-machines`. The platform decides a machine's name; the one
 * that is sent is ignored.
 */
export const addMachinesBody = {
  schema: z.strictObject({
    machines: z.array(
      z.strictObject({ serialNumber: z.string(), humanName: z.optional(z.string()) }),
    ),
  }),
  messages: { machines: "Machines must be a list of {serialNumber, humanName}" },
};
