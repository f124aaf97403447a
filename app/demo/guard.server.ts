import { environment } from "../env.server";
import { requireUser } from "../http/guards.server";
import type { RouteArgs, Session } from "../http/sessions.server";

/**
 * Lets signed-in people through while the demo area is on.
 * @throws Response 404 while it is off
 */
export async function requireDemo(
  args: RouteArgs,
  options: { canRestore?: boolean } = {},
): Promise<Session> {
  const session = await requireUser(args, options);
  if (environment().demoPages === "off") throw new Response(null, { status: 404 });
  return session;
}

/** Whether the product screens of the demo run on the sample products, without create, edit and delete. */
export function isReadOnly(): boolean {
  return environment().demoPages === "sample";
}

/**
 * As `requireDemo`, for what changes products.
 * @throws Response 404 while the products are the sample products
 */
export async function requireProductEditor(
  args: RouteArgs,
  options: { canRestore?: boolean } = {},
): Promise<Session> {
  const session = await requireDemo(args, options);
  if (isReadOnly()) throw new Response(null, { status: 404 });
  return session;
}
