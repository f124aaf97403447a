import type { LoaderFunctionArgs } from "@remix-run/node";
import { readPhoto } from "../../features/users/photos.server";
import { screenRoute } from "../../http/answers.server";
import { notModified, revalidated } from "../../http/file-response.server";
import { requireUser } from "../../http/guards.server";

/** An uploaded photo. It was re-encoded, and no browser runs anything that it could still hold. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const { user } = await requireUser(args);
  const { id, content } = await readPhoto(args.params.photoId ?? "", user);
  const headers = {
    ...revalidated(id),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Type": "image/webp",
    "Content-Length": String(content.length),
  };
  return (
    notModified(args.request, headers.ETag, {
      ETag: headers.ETag,
      "Cache-Control": headers["Cache-Control"],
    }) ?? new Response(new Uint8Array(content), { headers })
  );
});
