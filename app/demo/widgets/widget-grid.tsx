// Without script: buttons of a form move the widgets. With it they can be dragged, too, and glide to their places.
import { useFetcher } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef, useState, type ComponentType } from "react";
import { loadOnce } from "../../ui/connection/load-once";
import { Button } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import type DraggableWidget from "./widget-drag";
import { WidgetContent } from "./widget-content";
import {
  directions,
  lockedWidget,
  widgetTitles,
  type Direction,
  type WidgetName,
  type WidgetOrder,
} from "./widget-order";
import * as css from "./widgets.css";

const columnNames = ["First column", "Second column"];

type WidgetGridProps = {
  order: WidgetOrder;
  onDropped: (widget: string, before: string) => void;
};

export function WidgetGrid({ order, onDropped }: WidgetGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  useGliding(grid, order);
  const Draggable = useDraggable();
  return (
    <div ref={grid} className={css.columns}>
      {order.map((names, index) => (
        <section key={index} aria-label={columnNames[index]!}>
          <ul className={css.column}>
            {names.map((name) => {
              const title = widgetTitles[name];
              const isDraggable = Draggable !== null && name !== lockedWidget;
              const card = (
                <WidgetCard name={name} order={order.flat()} isDraggable={isDraggable} />
              );
              return (
                <li key={name} id={name} data-widget={name} className={css.widget}>
                  {isDraggable ? (
                    <Draggable
                      name={name}
                      title={title}
                      onDropped={(dropped) => onDropped(dropped, name)}
                    >
                      {card}
                    </Draggable>
                  ) : (
                    card
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}

type WidgetCardProps = { name: WidgetName; order: readonly WidgetName[]; isDraggable: boolean };

function WidgetCard({ name, order, isDraggable }: WidgetCardProps) {
  const fetcher = useFetcher();
  const title = widgetTitles[name];
  const isImpossible = (direction: Direction) =>
    (direction === "up" && order[0] === name) || (direction === "down" && order.at(-1) === name);
  return (
    <Card className={cardSection}>
      <h2>{title}</h2>
      <WidgetContent name={name} isDraggable={isDraggable} />
      {name !== lockedWidget && (
        <fetcher.Form method="post" action="/app/grid" className={css.moves}>
          <input type="hidden" name="widget" value={name} />
          {(Object.keys(directions) as Direction[]).map((direction) => (
            <Button
              key={direction}
              size="small"
              name="direction"
              value={direction}
              aria-label={`Move ${title}: ${directions[direction].toLowerCase()}`}
              aria-disabled={isImpossible(direction) || undefined}
              className={direction === "other" ? css.twoColumnsOnly : undefined}
            >
              {directions[direction]}
            </Button>
          ))}
        </fetcher.Form>
      )}
    </Card>
  );
}

const loadDrag = loadOnce(() => import("./widget-drag"));

/** Loads the dragging after hydration. */
function useDraggable() {
  const [Draggable, setDraggable] = useState<ComponentType<
    Parameters<typeof DraggableWidget>[0]
  > | null>(null);
  useEffect(() => {
    loadDrag().then(
      (module) => setDraggable(() => module.default),
      // The buttons stay.
      () => undefined,
    );
  }, []);
  return Draggable;
}

/** Lets widgets glide from their places before a move, unless less motion is wanted. */
function useGliding(grid: React.RefObject<HTMLDivElement>, order: WidgetOrder): void {
  const places = useRef(new Map<string, DOMRect>());
  useGlideEffect(() => {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const element of grid.current?.querySelectorAll<HTMLElement>("[data-widget]") ?? []) {
      const name = element.dataset.widget!;
      const [before, now] = [places.current.get(name), element.getBoundingClientRect()];
      places.current.set(name, now);
      if (!before || isStill || (before.x === now.x && before.y === now.y)) continue;
      const from = `translate(${before.x - now.x}px,${before.y - now.y}px)`;
      element.animate([{ transform: from }, { transform: "none" }], {
        duration: css.moveMs,
        easing: "ease-out",
      });
    }
  }, [grid, order]);
}

const useGlideEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
