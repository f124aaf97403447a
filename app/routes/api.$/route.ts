import { apiRouteOf } from "../../http/operations/index.server";

const { loader, action } = apiRouteOf("/api");
export { action, loader };
