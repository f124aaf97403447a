/** Every call of the HTTP API, but for the redemptions that machines wait for. */
import type { AnyOperation } from "../api.server";
import { apiRoute } from "../api.server";
import { accountOperations } from "./accounts.server";
import { eventOperations } from "./events.server";
import { fileOperations } from "./files.server";
import { lifecycleOperations } from "./lifecycles.server";
import { promotionOperations } from "./promotions.server";
import { userOperations } from "./users.server";

export const operations: AnyOperation[] = [
  ...accountOperations,
  ...userOperations,
  ...fileOperations,
  ...promotionOperations,
  ...lifecycleOperations,
  ...eventOperations,
];

/** Makes the loader and the action of a route that answers the calls below a folder of addresses. */
export function apiRouteOf(folder: "/api" | "/auth" | "/users" | "/file") {
  return apiRoute(...operations.filter(({ path }) => `${path}/`.startsWith(`${folder}/`)));
}
