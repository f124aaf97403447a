/**
 * A promotion's code as a QR image. `qrcode` decides every module; the PNG is written by
 * png-writer: the package's own paints 32-bit pixels and tries five filters, which costs more than
 * the code itself.
 */
import { createHash } from "node:crypto";
import { create, type QRCode, type QRCodeErrorCorrectionLevel, type QRCodeSegment } from "qrcode";
import { toModuleRows } from "./module-rows";
import { pngWriter, quietZone, scale } from "./png-writer.server";

/** Characters of a code (rulings 3.1), all of them letters and digits. */
export const codeLength = 12;

/**
 * What the QR says (rulings 3.1).
 * @param template of QR_PAYLOAD, with `{code}` in it
 */
export function qrPayload(code: string, template: string): string {
  return template.replaceAll("{code}", code);
}

/**
 * The payload in the modes that say it shortly: alphanumeric where it is so throughout or for 12
 * characters (a code) and more, else bytes. `qrcode` would look at digits too, and then codes of
 * one template could differ in size.
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

/** The modules that `qrcode` makes of the payload. */
export function qrMatrix(
  payload: string,
  errorCorrectionLevel: QRCodeErrorCorrectionLevel = "M",
): QRCode["modules"] {
  return create(qrSegments(payload), { errorCorrectionLevel }).modules;
}

/** Black on white, 1 bit a pixel. The same payload gives the same bytes. */
export function qrPng(payload: string): Buffer {
  const modules = qrMatrix(payload);
  return Buffer.from(pngWriter(modules.size).write(toModuleRows(modules)));
}

/** The same picture in vectors, for labels of any size: one path of runs of dark modules. */
export function qrSvg(payload: string): Buffer {
  const { size, data } = qrMatrix(payload);
  const width = size + 2 * quietZone;
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
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" ` +
      `width="${width * scale}" height="${width * scale}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path}"/></svg>\n`,
  );
}

export type QrFormat = "png" | "svg";

/** Names an image by its content without drawing it. */
export function qrImageTag(payload: string, format: QrFormat = "png"): string {
  return createHash("sha256").update(`${format} 2 ${payload}`).digest("base64url").slice(0, 22);
}
