import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireDemo } from "../../demo/guard.server";
import { drawPicture } from "../../demo/pictures/draw-picture.server";
import { notModified, revalidated } from "../../http/file-response.server";

export async function loader(args: LoaderFunctionArgs) {
  await requireDemo(args);
  const name = args.params.name ?? "";
  const picture = drawPicture(name);
  if (!picture) throw new Response(null, { status: 404 });
  const headers = { ...revalidated(`${name}-${picture.length}`), "Content-Type": "image/svg+xml" };
  return notModified(args.request, headers.ETag, headers) ?? new Response(picture, { headers });
}
