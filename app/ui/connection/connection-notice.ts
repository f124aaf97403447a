/** The message of the banner about the connection, and about forms that were left. */
import { routerState, whenIdle } from "../../remix/router";

export const noConnection = "No connection. Your page is kept.";

let notice: string | null = null;
const listeners = new Set<() => void>();

/** Location whose page shows the outcome of a form that was left; null: any answer clears the message. */
let outcomeKey: string | null = null;

export const connectionNotice = {
  /** Repeats what failed, if neither the router nor a form of Remix does. */
  retry: undefined as (() => void) | undefined,
  read: () => notice,
  subscribe(onChange: () => void): () => void {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
  set(text: string | null, retry?: () => void): void {
    outcomeKey = null;
    connectionNotice.retry = retry;
    if (text === notice) return;
    notice = text;
    for (const onChange of listeners) onChange();
  },
  /** Called after each answer of the server. */
  clear(): void {
    if (outcomeKey === null) connectionNotice.set(null);
  },
  /** Shows a message on the page that is shown when the router is idle, until another one is. */
  tellOutcome(message: string): void {
    whenIdle(({ location: { key } }) => {
      connectionNotice.set(message);
      outcomeKey = key;
    });
  },
  /** Called after each navigation. */
  clearOutcome(): void {
    if (outcomeKey === null || outcomeKey === routerState()?.location.key) return;
    connectionNotice.set(null);
  },
};
