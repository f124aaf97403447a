import { redirect } from "@remix-run/node";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { paths } from "../paths";

export const loader = screenLoader(requireUser, async () => redirect(paths.dashboard));
