import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { apiError } from "../../http/answers.server";
import { apiRoute } from "../../http/api.server";
import { isDemoOff } from "../demo.server";
import { productOperations } from "../store/product-api.server";

const calls = apiRoute(...productOperations);
const off = () => apiError(404, "There is nothing at this address.");

export const loader = (args: LoaderFunctionArgs) => (isDemoOff() ? off() : calls.loader(args));
export const action = (args: ActionFunctionArgs) => (isDemoOff() ? off() : calls.action(args));
