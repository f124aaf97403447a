/** Every call of the HTTP API, but for the redemptions that machines wait for. */
import { apiRoute, type AnyOperation } from "../api.server";
import { accountOperations } from "./accounts.server";
import { alertOperations } from "./alerts.server";
import { approvalOperations } from "./approvals.server";
import { eventOperations } from "./events.server";
import { fileOperations } from "./files.server";
import { importOperations } from "./imports.server";
import { machineOperations } from "./machines.server";
import { generationOperations } from "./mass-generations.server";
import { promotionOperations } from "./promotions.server";
import { testCodeOperations } from "./test-codes.server";
import { transactionOperations } from "./transactions.server";
import { userOperations } from "./users.server";

export const operations: AnyOperation[] = [
  ...accountOperations,
  ...userOperations,
  ...fileOperations,
  ...promotionOperations,
  ...generationOperations,
  ...importOperations,
  ...machineOperations,
  ...transactionOperations,
  ...eventOperations,
  ...alertOperations,
  ...approvalOperations,
  ...testCodeOperations,
];

/** Makes the loader and the action of a route that answers the calls below a folder of addresses. */
export function apiRouteOf(folder: "/api" | "/auth" | "/users" | "/file") {
  return apiRoute(...operations.filter(({ path }) => `${path}/`.startsWith(`${folder}/`)));
}
