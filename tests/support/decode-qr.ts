import jsQR from "jsqr";
import { PNG } from "pngjs";

/** What an independent reader sees in a PNG; null when it sees nothing. */
export function decodeQr(png: Buffer): string | null {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}
