import { apiRoute } from "../../http/api.server";
import { operations } from "./operations.server";

const route = apiRoute(...operations);

export const loader = route.loader;
export const action = route.action;
