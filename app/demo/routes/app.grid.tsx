import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { readCookie, setCookie } from "../../http/cookies.server";
import { Page } from "../../ui/layout/page";
import { requireDemo } from "../demo.server";
import { demoIndex } from "../pages";
import { WidgetGrid } from "../widgets/widget-grid";
import { isWidget, moveWidget, parseOrder } from "../widgets/widget-order";

/** The page has no section whose name could lead back to the index. */
export const handle = { crumbs: { app: "Demo pages", "/app": demoIndex } };
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
