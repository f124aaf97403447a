import { sampleMachines } from "../../../migrations/seeds/sample-machines.js";
import type { VendingPlatform } from "./vending-platform";

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
