// Without script: never loaded; the buttons of a widget move it.
import { useRef, type ReactNode } from "react";
import { useButton } from "react-aria/useButton";
import { useDrag } from "react-aria/useDrag";
import { useDrop } from "react-aria/useDrop";
import { iconOnly } from "../../ui/form/button.css";
import { icon } from "../../ui/icon/icon.css";
import * as css from "./widgets.css";

const type = "promo-console-widget";

/** A widget that can be dragged by its handle or by keyboard, and that others are dropped on. */
export default function DraggableWidget({
  name,
  title,
  onDropped,
  children,
}: {
  name: string;
  title: string;
  /** Called with the name of the widget that was dropped on this one. */
  onDropped: (dropped: string) => void;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    hasDragButton: true,
    getItems: () => [{ [type]: name }],
  });
  const { buttonProps } = useButton({ ...dragButtonProps, "aria-label": `Drag ${title}` }, handle);
  const { dropProps, isDropTarget } = useDrop({
    ref: place,
    getDropOperation: (types) => (types.has(type) ? "move" : "cancel"),
    async onDrop({ items }) {
      const [item] = items;
      if (item?.kind === "text") onDropped(await item.getText(type));
    },
  });
  return (
    <div
      ref={place}
      role="group"
      // A drag by keyboard moves the focus here.
      tabIndex={-1}
      aria-label={title}
      {...dropProps}
      {...dragProps}
      className={isDropTarget ? css.dropTarget : isDragging ? css.dragging : undefined}
    >
      {/* React Aria adds a style sheet for its buttons unless it finds one of this id; the content security policy refuses it. */}
      <span hidden id="react-aria-pressable-style" />
      <button ref={handle} {...buttonProps} className={`${iconOnly} ${css.handle}`}>
        <svg viewBox="0 0 20 20" aria-hidden="true" className={icon}>
          <path d="M7 4h0M7 10h0M7 16h0M13 4h0M13 10h0M13 16h0" strokeWidth={3} />
        </svg>
      </button>
      {children}
    </div>
  );
}
