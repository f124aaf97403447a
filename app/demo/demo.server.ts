/** Whether the demo area is there, and who may see it. */
import { environment } from "../env.server";
import { requireEditor, requireUser } from "../http/guards.server";
import type { RouteArgs, Session } from "../http/sessions.server";
import { demoIndex } from "./pages";

export const isDemoOff = (): boolean => environment().demoPages === "off";

/** Whether the product screens run on the sample products, without create, edit and delete. */
export const isReadOnly = (): boolean => environment().demoPages === "sample";

/** Whether somebody sees the product screens without create, edit and delete. */
export const isReadOnlyFor = ({ user }: Session): boolean => isReadOnly() || user.role === "viewer";

export const mapsKey = (): string | null => environment().mapsKey;

/** The entry of the sidebar; none while the demo area is off. */
export const demoEntries = () =>
  isDemoOff()
    ? []
    : [{ path: demoIndex, title: "Demo pages", icon: "grid", isDocument: true } as const];

type Options = { canRestore?: boolean };

/**
 * Lets signed-in people through while the demo area is on.
 * @throws Response 404 while it is off
 */
export async function requireDemo(args: RouteArgs, options: Options = {}): Promise<Session> {
  const session = await requireUser(args, options);
  if (isDemoOff()) throw new Response(null, { status: 404 });
  return session;
}

/**
 * Lets those through who may change products.
 * @throws Response 403 for viewers; 404 while the demo area is off or the products are the sample products
 */
export async function requireProductEditor(
  args: RouteArgs,
  options: Options = {},
): Promise<Session> {
  await requireDemo(args, options);
  if (isReadOnly()) throw new Response(null, { status: 404 });
  return requireEditor(args, options);
}
