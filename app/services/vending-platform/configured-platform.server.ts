import { environment } from "../../env.server";
import { httpPlatform } from "./http-platform.server";
import type { VendingPlatform } from "./vending-platform";
import { sampleMachines } from "../../../migrations/seeds/sample-machines.js";

/**
 * Stands in for the vending platform without `SMARTVEND_URL`: 24 machines, those
 * of the sample data. It says nothing about when they were last seen.
 */
export const samplePlatform: VendingPlatform = {
  listMachines: () =>
    Promise.resolve({
      machines: sampleMachines.map((machine) => ({ ...machine, lastSeen: null })),
      badItems: { count: 0, examples: [] },
      unclear: [],
    }),
};

/** The platform that the operator has named in the environment, else the built-in sample. */
export function configuredPlatform(): VendingPlatform {
  const { smartvendUrl: url, smartvendApiKey: apiKey } = environment();
  return url !== null && apiKey !== null ? httpPlatform({ url, apiKey }) : samplePlatform;
}
