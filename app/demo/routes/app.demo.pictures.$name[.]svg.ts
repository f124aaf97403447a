import type { LoaderFunctionArgs } from "@remix-run/node";
import { notModified, revalidated } from "../../http/file-response.server";
import { requireDemo } from "../demo.server";
import { readPicture } from "../pictures/pictures.server";

export async function loader(args: LoaderFunctionArgs) {
  await requireDemo(args);
  const name = args.params.name ?? "";
  const picture = readPicture(name);
  if (!picture) throw new Response(null, { status: 404 });
  const headers = { ...revalidated(`${name}-${picture.length}`), "Content-Type": "image/svg+xml" };
  return notModified(args.request, headers.ETag, headers) ?? new Response(picture, { headers });
}
