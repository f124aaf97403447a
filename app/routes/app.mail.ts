import { redirect } from "@remix-run/node";
import { screenLoader } from "../http/answers.server";
import { requireAdmin } from "../http/guards.server";
import { paths } from "../paths";

/** Redirects the former address of the list of mails, which are jobs. */
export const loader = screenLoader(requireAdmin, () =>
  Promise.resolve(redirect(paths.outgoingMail, 301)),
);
