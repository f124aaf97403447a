import type { LoaderFunctionArgs } from "@remix-run/node";
import { readPhoto } from "../../features/people/photos.server";
import { screenRoute } from "../../http/answers.server";
import { photoResponse } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

/** An uploaded photo. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const { user } = await requireUser(args);
  return photoResponse(args.request, await readPhoto(args.params.photoId ?? "", user));
});
