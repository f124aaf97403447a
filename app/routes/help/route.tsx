import type { LoaderFunctionArgs } from "@remix-run/node";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { currentSession } from "../../http/sessions.server";
import { publicHandle } from "../../ui/layout/public-handle";

export const handle = publicHandle;

export const meta = pageMeta("Help");

/** Open to everybody: who can't sign in has to read it, too. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return { isSignedIn: (await currentSession(args)) !== null };
}

export { default } from "./page.static";
