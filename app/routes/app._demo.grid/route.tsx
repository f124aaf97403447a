import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { useFetcher, useLoaderData } from "@remix-run/react";
import "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import {
  directions,
  formatOrder,
  moveWidget,
  parseOrder,
  placeWidget,
  widgetTitles,
  type Direction,
  type WidgetName,
} from "../../demo/widgets/widget-order";
import { WidgetGrid } from "../../demo/widgets/widget-grid";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { readCookie, setCookie } from "../../http/preferences.server";
import { paths } from "../../paths";
import { Page } from "../../ui/layout/page";

/** The page has no section whose name could lead back to the index. */
export const handle = { crumbs: { app: "Demo pages", "/app": paths.demo } };
export const meta = pageMeta("Grid");

const cookie = "demo-grid";

export const loader = screenLoader(requireDemo, async ({ request }) => ({
  order: parseOrder(readCookie(request, cookie)),
}));

/** Moves a widget in a direction, or before another one. */
export const action = screenRoute(async (args: ActionFunctionArgs) => {
  await requireDemo(args);
  const posted = await args.request.formData();
  const [name, before, direction] = ["widget", "before", "direction"].map((field) =>
    String(posted.get(field) ?? ""),
  ) as [WidgetName, WidgetName, Direction];
  const order = parseOrder(readCookie(args.request, cookie));
  const isKnown = Object.hasOwn(widgetTitles, name);
  const next =
    isKnown && Object.hasOwn(widgetTitles, before)
      ? placeWidget(order, name, before)
      : isKnown && Object.hasOwn(directions, direction)
        ? moveWidget(order, name, direction)
        : order;
  const headers = { "Set-Cookie": setCookie(cookie, formatOrder(next)) };
  return redirect(`/app/grid${isKnown ? `#${name}` : ""}`, { status: 303, headers });
});

export default function Grid() {
  const { order } = useLoaderData<typeof loader>();
  const fetcher = useFetcher();
  return (
    <Page title="Grid">
      <WidgetGrid
        order={order}
        onDropped={(widget, before) => fetcher.submit({ widget, before }, { method: "post" })}
      />
    </Page>
  );
}
