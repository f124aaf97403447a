/** Files that are drawn on request: authorised each time, re-sent only when they differ (rulings 6.9). */
import { environment } from "../env.server";
import type { Promotion } from "../features/promotions/promotion";
import { qrImageTag, qrPayload, qrPng, qrSvg, type QrFormat } from "../codec/qr-image.server";

const drawings = {
  png: { draw: qrPng, type: "image/png" },
  svg: { draw: qrSvg, type: "image/svg+xml" },
};

/** The QR image of a promotion, named `{id}.png` (core §7) or `.svg`; 304 when the client has it. */
export function qrImageResponse(
  request: Request,
  promotion: Pick<Promotion, "id" | "code">,
  format: QrFormat = "png",
): Response {
  const payload = qrPayload(promotion.code, environment().qrPayload);
  const etag = `"${qrImageTag(payload, format)}"`;
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (isKnown(request.headers.get("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const { draw, type } = drawings[format];
  const image = new Uint8Array(draw(payload));
  return new Response(image, {
    headers: {
      ...headers,
      "Content-Type": type,
      "Content-Length": String(image.length),
      "Content-Disposition": `attachment; filename="${promotion.id}.${format}"`,
    },
  });
}

/** Whether the client has it already, by the tags of its If-None-Match. */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
