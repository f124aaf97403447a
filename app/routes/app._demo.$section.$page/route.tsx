import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import "../../demo/showcase/pages.css";
import "../../demo/showcase/ui.css";
import { requireDemo } from "../../demo/guard.server";
import { findDemoPage } from "../../demo/pages";
import Showcase from "../../demo/showcase/showcase.static";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";

export const handle = { hydrate: false, crumbs: demoCrumbs };
export const meta = pageMeta<{ title: string }>((data) => data?.title ?? "Page not found");

/** Answers the pages of the demo area that are plain documents. */
export const loader = screenLoader(requireDemo, async ({ params, request }) => {
  const page = findDemoPage(`/app/${params.section}/${params.page}`);
  if (!page || page.isScripted) throw new Response(null, { status: 404 });
  return { path: page.path, title: page.title, search: new URL(request.url).search };
});

export default function DemoPage() {
  return <Showcase {...useLoaderData<typeof loader>()} />;
}
