import { redirect } from "@remix-run/node";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { paths } from "../paths";

/** Redirects the former address of the list of mass generations, which are campaigns. */
export const loader = screenLoader(requireUser, () =>
  Promise.resolve(redirect(paths.generations, 301)),
);
