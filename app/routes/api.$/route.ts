import { apiRoute } from "../../http/api.server";
import { operations } from "./operations.server";

const { loader, action } = apiRoute(...operations);
export { action, loader };
