import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireDemo } from "../demo.server";
import { demoPages } from "../pages";
import Showcase from "../showcase/showcase.static";

export const handle = { hydrate: false };
export const meta = pageMeta<{ title: string }>((data) => data?.title ?? "Page not found");

/** Answers the pages of the demo area that are nothing but their content. */
export const loader = screenLoader(requireDemo, async ({ request }) => {
  const { pathname, search } = new URL(request.url);
  const page = demoPages.find(({ path }) => path === pathname);
  if (!page) throw new Response(null, { status: 404 });
  return { path: page.path, title: page.title, search };
});

export default function DemoPage() {
  return <Showcase {...useLoaderData<typeof loader>()} />;
}
