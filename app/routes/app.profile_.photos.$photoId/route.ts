import { readPhoto } from "../../features/people/photos.server";
import { screenLoader } from "../../http/answers.server";
import { pictureResponse } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

export const loader = screenLoader(requireUser, async ({ request, params }, { user }) =>
  pictureResponse(request, await readPhoto(params.photoId ?? "", user)),
);
