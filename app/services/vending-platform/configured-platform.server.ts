import { environment } from "../../env.server";
import { httpPlatform } from "./http-platform.server";
import type { VendingPlatform } from "./vending-platform";
import { sampleMachines } from "../../../migrations/seeds/sample-machines.js";

/**
 * Stands in for the vending platform while a site without `SMARTVEND_URL` has the sample data, whose 24 machines it
 * lists. It says nothing about when they were last seen.
 */
export const samplePlatform: VendingPlatform = {
  listMachines: () =>
    Promise.resolve({
      machines: sampleMachines.map((machine) => ({ ...machine, lastSeen: null })),
      badItems: { count: 0, examples: [] },
      unclear: [],
    }),
};

/** Returns the platform that the operator has named in the environment, or null. */
export function configuredPlatform(): VendingPlatform | null {
  const { smartvendUrl: url, smartvendApiKey: apiKey } = environment();
  return url !== null && apiKey !== null ? httpPlatform({ url, apiKey }) : null;
}
