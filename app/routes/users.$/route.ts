import { apiRouteOf } from "../../http/operations/index.server";

const { loader, action } = apiRouteOf("/users");
export { action, loader };
