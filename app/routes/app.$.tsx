import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { requireUser } from "../http/guards.server";
import { ErrorContent } from "../ui/layout/error-page";

export const handle = { hydrate: false };
export const meta: MetaFunction = () => [{ title: "Page not found - Promo Console" }];

/** Answers unknown paths inside the shell with 404. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json(null, 404);
}

export default function NotFoundInShell() {
  return <ErrorContent error={404} />;
}
