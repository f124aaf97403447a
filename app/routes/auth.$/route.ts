import { apiRouteOf } from "../../http/operations/index.server";

const { loader, action } = apiRouteOf("/auth");
export { action, loader };
