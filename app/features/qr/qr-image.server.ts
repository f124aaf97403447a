/**
 * A promotion's code as a QR image. `qrcode` decides every module; the PNG is written here: its
 * own writer paints 32-bit pixels and tries five filters, which costs more than the code itself.
 */
import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { create, type QRCode, type QRCodeSegment } from "qrcode";

/** Pixels a module. At 8 a module of a 1-bit image is exactly one byte. */
const scale = 8;
/** White modules around the code, as ISO 18004 asks. */
const quietZone = 4;

/**
 * What the QR says (rulings 3.1).
 * @param template of QR_PAYLOAD, with `{code}` in it
 */
export function qrPayload(code: string, template: string): string {
  return template.replaceAll("{code}", code);
}

/** The modules, with error correction M. Whole-text alphanumeric where it can be: the smallest. */
export function qrMatrix(payload: string): QRCode["modules"] {
  const segments: string | QRCodeSegment[] = /^[0-9A-Z $%*+\-./:]+$/.test(payload)
    ? [{ data: payload, mode: "alphanumeric" }]
    : payload;
  return create(segments, { errorCorrectionLevel: "M" }).modules;
}

/** Black on white, 1 bit a pixel. The same payload gives the same bytes. */
export function qrPng(payload: string): Buffer {
  const { size, data } = qrMatrix(payload);
  const width = (size + 2 * quietZone) * scale;
  const lineBytes = 1 + width / 8;
  // A line opens with its filter (0, none); white is 1.
  const image = Buffer.alloc(lineBytes * width, 0xff);
  for (let y = 0; y < width; y++) image[y * lineBytes] = 0;
  for (let row = 0; row < size; row++) {
    const top = (row + quietZone) * scale * lineBytes;
    for (let column = 0; column < size; column++) {
      if (data[row * size + column]) image[top + 1 + quietZone + column] = 0;
    }
    for (let line = 1; line < scale; line++) {
      image.copyWithin(top + line * lineBytes, top, top + lineBytes);
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  // Measured over all levels, strategies and windows: the smallest image at a third of the time of
  // level 9. A line is far shorter than the window of 512 bytes, and each is repeated at once.
  const pixels = deflateSync(image, { level: 6, windowBits: 9, memLevel: 8 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), end]);
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
  return createHash("sha256").update(`${format} 1 ${payload}`).digest("base64url").slice(0, 22);
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const end = chunk("IEND", Buffer.alloc(0));

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
}
