import { apiRouteOf } from "../../http/operations/index.server";

const { loader, action } = apiRouteOf("/file");
export { action, loader };
