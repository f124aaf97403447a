import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { ErrorPage, errorTexts } from "../ui/layout/error-page";

export const handle = { hydrate: false };
export const meta: MetaFunction = () => [{ title: `${errorTexts(500).title} - Promo Console` }];

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return json(null, 500);
}

export default function Failed() {
  return <ErrorPage error={500} />;
}
