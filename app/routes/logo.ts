import type { LoaderFunctionArgs } from "@remix-run/node";
import { readLogo } from "../features/settings/edit-settings.server";
import { screenRoute } from "../http/answers.server";
import { pictureResponse } from "../http/downloads.server";
import { allowAnyone } from "../http/guards.server";

/** The logo of the site, which the sign-in page shows, too. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await allowAnyone(args);
  return pictureResponse(args.request, await readLogo());
});
