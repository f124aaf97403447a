import { pngWriter, toModuleRows } from "./png-writer.server";
import { qrMatrix, qrPayload } from "./qr-image.server";

/** Draws the codes of one QR_PAYLOAD template; all its images have the same number of bytes. */
export type QrEncoder = {
  readonly pngSize: number;
  /** Fills `pngSize` bytes of the target from the offset on. */
  writePng(code: string, target: Uint8Array, offset: number): void;
  png(code: string): Buffer;
};

/** Rulings 3.1. `promotions/code.ts` makes them. */
const aCode = "ABCDEFGH2345";

let last: { template: string; encoder: QrEncoder } | undefined;

/** @param template of QR_PAYLOAD, with `{code}` in it */
export function qrEncoder(template: string): QrEncoder {
  if (last?.template !== template) last = { template, encoder: newQrEncoder(template) };
  return last.encoder;
}

function newQrEncoder(template: string): QrEncoder {
  const writer = pngWriter(qrMatrix(qrPayload(aCode, template)).size);
  const draw = (code: string) => writer.write(toModuleRows(qrMatrix(qrPayload(code, template))));
  return {
    pngSize: writer.pngSize,
    writePng(code, target, offset) {
      target.set(draw(code), offset);
    },
    png: (code) => Buffer.from(draw(code)),
  };
}
