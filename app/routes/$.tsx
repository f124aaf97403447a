import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { ErrorPage } from "../ui/layout/error-page";

export const handle = { hydrate: false };
export const meta: MetaFunction = () => [{ title: "Page not found - Promo Console" }];

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return json(null, 404);
}

export default function NotFound() {
  return <ErrorPage error={404} />;
}
