import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { openApiDocument } from "../http/openapi.server";

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return json(openApiDocument());
}
