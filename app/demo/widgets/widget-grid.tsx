// Without script: buttons of a form move the widgets. With it they can be dragged, too, and glide to their places.
import { useFetcher, useSubmit } from "@remix-run/react";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type DragEvent,
  type RefObject,
} from "react";
import { visuallyHidden } from "#styles/global.css";
import { Button } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import * as css from "../demo.css";
import { widgetContents } from "./widget-contents";
import { isWidget, lockedWidget, widgetTitles, type WidgetName } from "./widget-order";

const glideMs = 550;

export function WidgetGrid({ order }: { order: readonly WidgetName[] }) {
  const grid = useRef<HTMLUListElement>(null);
  const submit = useSubmit();
  useGliding(grid, order);

  function drop(event: DragEvent, place: number) {
    const widget = event.dataTransfer.getData("text/plain");
    if (!isWidget(widget)) return;
    event.preventDefault();
    submit({ widget, place }, { method: "post", preventScrollReset: true });
  }

  return (
    <ul ref={grid} className={css.columns}>
      {order.map((name, place) => (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons move it by keyboard
        <li
          key={name}
          id={name}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => drop(event, place)}
        >
          <Widget name={name} place={place} lastPlace={order.length - 1} />
        </li>
      ))}
    </ul>
  );
}

type WidgetProps = { name: WidgetName; place: number; lastPlace: number };

function Widget({ name, place, lastPlace }: WidgetProps) {
  const fetcher = useFetcher();
  const [wasMoved, setWasMoved] = useState(false);
  const isDraggable = useAreScriptsRunning() && name !== lockedWidget;
  const title = widgetTitles[name];
  const Content = widgetContents[name];
  const moveButton = (label: string, to: number) => (
    <Button
      size="small"
      name="place"
      value={Math.min(lastPlace, Math.max(0, to))}
      aria-label={`Move ${title}: ${label.toLowerCase()}`}
      aria-disabled={to < 0 || to > lastPlace || undefined}
    >
      {label}
    </Button>
  );
  return (
    <Card className={cardSection}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons move it by keyboard */}
      <h2
        draggable={isDraggable}
        onDragStart={({ dataTransfer }) => dataTransfer.setData("text/plain", name)}
        className={isDraggable ? css.handle : undefined}
      >
        {title}
      </h2>
      <Content />
      {name !== lockedWidget && (
        <fetcher.Form
          method="post"
          action="/app/grid"
          className={css.row}
          onSubmit={() => setWasMoved(true)}
          onBlur={() => setWasMoved(false)}
        >
          <input type="hidden" name="widget" value={name} />
          {moveButton("Up", place - 1)}
          {moveButton("Down", place + 1)}
          <span role="status" className={visuallyHidden}>
            {wasMoved && fetcher.state === "idle" && `Place ${place + 1} of ${lastPlace + 1}`}
          </span>
        </fetcher.Form>
      )}
    </Card>
  );
}

const useGlideEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** Lets the items of a list glide from their places before a move, unless less motion is wanted. */
function useGliding(list: RefObject<HTMLUListElement>, order: readonly WidgetName[]): void {
  const places = useRef(new Map<Element, DOMRect>());
  useGlideEffect(() => {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const item of list.current!.children) {
      const [before, now] = [places.current.get(item), item.getBoundingClientRect()];
      places.current.set(item, now);
      if (!before || isStill || (before.x === now.x && before.y === now.y)) continue;
      const from = `translate(${before.x - now.x}px,${before.y - now.y}px)`;
      const frames = [{ transform: from }, { transform: "none" }];
      item.animate(frames, { duration: glideMs, easing: "ease-out" });
    }
  }, [list, order]);
}
