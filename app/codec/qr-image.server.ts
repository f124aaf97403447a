/**
 * Draws a promotion's code as a QR image. `qrcode` decides every module; png-writer writes the PNG,
 * because the package's own writer paints 32-bit pixels and tries five filters, which costs more
 * than the code itself.
 */
import { createHash } from "node:crypto";
import { create, type QRCode, type QRCodeErrorCorrectionLevel, type QRCodeSegment } from "qrcode";
import { pngWriter, quietZone, scale, toModuleRows } from "./png-writer.server";

/**
 * Builds the text that a QR code holds (RULES C4).
 * @param template of QR_PAYLOAD, with `{code}` in it
 */
export function qrPayload(code: string, template: string): string {
  return template.replaceAll("{code}", code);
}

/**
 * Splits a payload into segments: alphanumeric for the whole text or for a run of 12 characters (a
 * code of ours) or more, bytes otherwise. `qrcode` would also use digit mode, and then codes of one template
 * could differ in size.
 */
export function qrSegments(payload: string): QRCodeSegment[] {
  const runs = payload.split(/(^[0-9A-Z $%*+\-./:]+$|[0-9A-Z $%*+\-./:]{12,})/);
  return runs.flatMap((run, index): QRCodeSegment[] => {
    if (run === "") return [];
    const isAlphanumeric = index % 2 === 1;
    return [
      isAlphanumeric
        ? { data: run, mode: "alphanumeric" }
        : { data: Buffer.from(run), mode: "byte" },
    ];
  });
}

export function qrMatrix(
  payload: string,
  errorCorrectionLevel: QRCodeErrorCorrectionLevel = "M",
): QRCode["modules"] {
  return create(qrSegments(payload), { errorCorrectionLevel }).modules;
}

/** Draws a PNG in black on white, 1 bit a pixel. Equal payloads give equal bytes. */
export function qrPng(payload: string): Buffer {
  const modules = qrMatrix(payload);
  return Buffer.from(pngWriter(modules.size).write(toModuleRows(modules)));
}

/** Draws the same picture as a path made of runs of dark modules, within a square of a width in modules. */
export function qrPath(payload: string): { width: number; path: string } {
  const { size, data } = qrMatrix(payload);
  let path = "";
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      let run = 0;
      while (column + run < size && data[row * size + column + run]) run++;
      if (run === 0) continue;
      path += `M${column + quietZone} ${row + quietZone}h${run}v1h-${run}z`;
      column += run;
    }
  }
  return { width: size + 2 * quietZone, path };
}

/** Draws the same picture as SVG. */
export function qrSvg(payload: string): Buffer {
  const { width, path } = qrPath(payload);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" ` +
      `width="${width * scale}" height="${width * scale}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path}"/></svg>\n`,
  );
}

export type QrFormat = "png" | "svg";

/** Returns a tag that identifies the bytes of an image, without drawing it. */
export function qrImageTag(payload: string, format: QrFormat = "png"): string {
  return createHash("sha256").update(`${format} 2 ${payload}`).digest("base64url").slice(0, 22);
}
