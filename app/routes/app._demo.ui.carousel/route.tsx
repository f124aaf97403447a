import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import { Carousels, indicators, places, type Steps } from "../../demo/showcase/ui-carousel";
import { numberParam } from "../../demo/showcase/random";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Carousel");

export const loader = screenLoader(requireDemo, async ({ request }) => {
  const query = new URL(request.url).searchParams;
  const step = (name: string) => numberParam(query, name, { from: 1, to: places.length, none: 1 });
  return Object.fromEntries(indicators.map((name) => [name, step(name)])) as Steps;
});

export default function CarouselPage() {
  return <Carousels start={useLoaderData<typeof loader>()} />;
}
