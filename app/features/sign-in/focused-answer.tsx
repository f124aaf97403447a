// Without script: the browser focuses it.
import { useEffect, useRef, useState, type ReactNode } from "react";
import { isHydrated } from "../../ui/overlay/focus";

/** An answer that is shown once, away from the button that asked for it: it takes the focus, which shows and reads it. */
export function FocusedAnswer({
  label,
  answer,
  children,
}: {
  label: string;
  /** The same object as long as it is the same answer. */
  answer: object;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);
  const [isFromDocument] = useState(() => !isHydrated());
  useEffect(() => element.current?.focus(), [answer]);
  return (
    // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent, where no script runs
    <div ref={element} role="group" aria-label={label} tabIndex={-1} autoFocus={isFromDocument}>
      {children}
    </div>
  );
}
