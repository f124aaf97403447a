/** Labels as files: drawn while they are sent, re-sent only when they differ (rulings 6.9). */
import { siteTimeZone } from "../db/site.server";
import { environment } from "../env.server";
import { getLabelledGeneration } from "../features/labels/generation-labels.server";
import { labelFile } from "../features/labels/label-files.server";
import { streamedFile } from "./streamed-file.server";

const types = { pdf: "application/pdf", svg: "image/svg+xml; charset=utf-8" };

/** @throws DomainError not_found, conflict: the generation is deleted; invalid: an option */
export async function labelFileResponse(
  kind: keyof typeof types,
  request: Request,
  generationId: string,
): Promise<Response> {
  const generation = await getLabelledGeneration(generationId);
  const { fileName, tag, chunks } = await labelFile(
    kind,
    generation,
    new URL(request.url).searchParams,
    { template: environment().qrPayload, timeZone: siteTimeZone() },
  );
  const headers = { ETag: `"${tag}"`, "Cache-Control": "private, no-cache" };
  if (request.headers.get("If-None-Match")?.includes(tag))
    return new Response(null, { status: 304, headers });
  return streamedFile(chunks(), {
    fileName,
    headers: { ...headers, "Content-Type": types[kind] },
  });
}
