import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { readCookie, setCookie } from "../../http/cookies.server";
import { Page } from "../../ui/layout/page";
import { requireDemo } from "../demo.server";
import { WidgetGrid } from "../widgets/widget-grid";
import { isWidget, moveWidget, parseOrder } from "../widgets/widget-order";

/** A page of the section 'core' has the same name in its address. */
export const handle = { crumbs: { grid: "Grid" } };
export const meta = pageMeta("Grid");

const cookie = "demo-grid";
const orderOf = (request: Request) => parseOrder(readCookie(request, cookie));

export const loader = screenLoader(requireDemo, async ({ request }) => ({
  order: orderOf(request),
}));

/** Moves a widget to a place, counted from 0. */
export const action = screenRoute(async (args: ActionFunctionArgs) => {
  await requireDemo(args);
  const posted = await args.request.formData();
  const [name, place] = [String(posted.get("widget")), String(posted.get("place"))];
  if (!isWidget(name) || !/^\d$/.test(place)) return redirect("/app/grid", { status: 303 });
  const order = moveWidget(orderOf(args.request), name, Number(place));
  const headers = { "Set-Cookie": setCookie(cookie, order.join(".")) };
  return redirect(`/app/grid#${name}`, { status: 303, headers });
});

export default function Grid() {
  return (
    <Page title="Grid">
      <WidgetGrid {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
