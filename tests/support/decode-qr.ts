import jsQR from "jsqr";
import { PNG } from "pngjs";

/** Decodes a PNG with an independent reader; null if it finds no code. */
export function decodeQr(png: Buffer): string | null {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}
