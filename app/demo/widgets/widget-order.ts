/** The widgets of the grid page, and how a cookie keeps their order: two columns, 'info.news~shares'. */

export const widgetTitles = {
  info: "Widget info",
  default: "Default widget",
  shares: "Latest shares",
  signUp: "Free sign-up",
  news: "News",
  locked: "Collapsed & locked",
  story: "Draggable story",
  loader: "Custom loader",
} as const;

export type WidgetName = keyof typeof widgetTitles;
export type WidgetOrder = [left: WidgetName[], right: WidgetName[]];

/** Stays where it is. */
export const lockedWidget: WidgetName = "locked";

export const defaultOrder: WidgetOrder = [
  ["info", "default", "shares", "signUp"],
  ["news", "locked", "story", "loader"],
];

export function parseOrder(text: string | undefined): WidgetOrder {
  const columns = (text ?? "").split("~").map((column) => column.split(".").filter(Boolean));
  const names = columns.flat();
  const isWhole =
    columns.length === 2 &&
    names.length === Object.keys(widgetTitles).length &&
    new Set(names).size === names.length &&
    names.every((name) => Object.hasOwn(widgetTitles, name));
  return isWhole ? (columns as WidgetOrder) : defaultOrder;
}

export function formatOrder(order: WidgetOrder): string {
  return order.map((column) => column.join(".")).join("~");
}

export const directions = { up: "Up", down: "Down", other: "To the other column" } as const;
export type Direction = keyof typeof directions;

/** Moves a widget by one place, from one column into the other where its own ends, or to the end of the other column. */
export function moveWidget(
  order: WidgetOrder,
  name: WidgetName,
  direction: Direction,
): WidgetOrder {
  if (direction === "other") return placeWidget(order, name, null, order[0].includes(name) ? 1 : 0);
  const moved = order.flat();
  const at = moved.indexOf(name);
  const to = at + (direction === "up" ? -1 : 1);
  if (name === lockedWidget || to < 0 || to >= moved.length) return order;
  moved.splice(to, 0, ...moved.splice(at, 1));
  const { length } = order[0];
  return [moved.slice(0, length), moved.slice(length)];
}

/** Puts a widget at the place of another one, or at the end of a column. */
export function placeWidget(
  order: WidgetOrder,
  name: WidgetName,
  before: WidgetName | null,
  column = before && order[0].includes(before) ? 0 : 1,
): WidgetOrder {
  if (name === lockedWidget || name === before) return order;
  const next = order.map((names) => names.filter((known) => known !== name)) as WidgetOrder;
  const target = next[column]!;
  // From above it goes behind the other one, or nothing would change between neighbours.
  const [from, to] = [name, before].map((known) => order[column]!.indexOf(known as WidgetName));
  const isFromAbove = before !== null && from! >= 0 && from! < to!;
  const place = before ? target.indexOf(before) + Number(isFromAbove) : target.length;
  target.splice(place, 0, name);
  return next;
}
