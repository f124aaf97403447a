import type { AppLoadContext } from "@remix-run/node";

/**
 * A form that is refused without scripts is answered by the loader of the same request, whose
 * title then begins with 'Error:'; this is how the action tells it.
 */
const refused = new WeakSet<AppLoadContext>();

export function markRefused(context: AppLoadContext): void {
  refused.add(context);
}

export function wasRefused(context: AppLoadContext): boolean {
  return refused.has(context);
}
