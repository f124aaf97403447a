import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { noDemo, productOperations } from "../../demo/store/product-api.server";
import { environment } from "../../env.server";
import { apiRoute } from "../../http/api.server";

const calls = apiRoute(...productOperations);

export const loader = (args: LoaderFunctionArgs) =>
  environment().demoPages === "off" ? noDemo() : calls.loader(args);

export const action = (args: ActionFunctionArgs) =>
  environment().demoPages === "off" ? noDemo() : calls.action(args);
