import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../forms/page-meta";
import { allowAnyone } from "../http/guards.server";
import { ErrorPage, errorTexts } from "../ui/layout/error-page";

export const handle = { hydrate: false };
export const meta = pageMeta<number>((status = 404) =>
  status === 404 ? "Page not found" : errorTexts(status).title,
);

/** Answers unknown addresses with 404; '/403' and '/500' show what their status looks like. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const status = Number(/^(403|500)\/?$/.exec(args.params["*"] ?? "")?.[1] ?? 404);
  return json(status, status);
}

export default function UnknownAddress() {
  return <ErrorPage error={useLoaderData<typeof loader>()} />;
}
