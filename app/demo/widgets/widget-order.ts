/** The widgets of the grid page, and how a cookie stores their order: 'news.shares.locked'. */

export const widgetTitles = {
  news: "News",
  shares: "Latest shares",
  signUp: "Free sign-up",
  locked: "Collapsed & locked",
  loader: "Custom loader",
} as const;

export type WidgetName = keyof typeof widgetTitles;

/** Has no controls to move it. */
export const lockedWidget: WidgetName = "locked";

const defaultOrder = Object.keys(widgetTitles) as WidgetName[];

export function isWidget(name: string): name is WidgetName {
  return Object.hasOwn(widgetTitles, name);
}

export function parseOrder(text = ""): WidgetName[] {
  const names = new Set(text.split(".").filter(isWidget));
  return names.size === defaultOrder.length ? [...names] : defaultOrder;
}

/** Puts a widget at a place, counted from 0. The locked one keeps its own: others skip over it. */
export function moveWidget(
  order: readonly WidgetName[],
  name: WidgetName,
  place: number,
): WidgetName[] {
  if (name === lockedWidget) return [...order];
  const lockedPlace = order.indexOf(lockedWidget);
  const direction = Math.sign(place - order.indexOf(name));
  const target = place === lockedPlace ? place + direction : place;
  const moved = order.filter((known) => known !== name && known !== lockedWidget);
  moved.splice(Math.max(0, target > lockedPlace ? target - 1 : target), 0, name);
  moved.splice(lockedPlace, 0, lockedWidget);
  return moved;
}
