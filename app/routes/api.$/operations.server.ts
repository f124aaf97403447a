import { machineOperations } from "./machines.server";
import { massGenerationOperations } from "./mass-generations.server";
import { promotionOperations } from "./promotions.server";
import { transactionOperations } from "./transactions.server";

/** Operations of the HTTP API, except signing in and the redemptions that machines wait for. */
export const operations = [
  ...promotionOperations,
  ...massGenerationOperations,
  ...machineOperations,
  ...transactionOperations,
];
