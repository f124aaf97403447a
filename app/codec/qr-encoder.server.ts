import { linearCode } from "./linear-code.server";
import { largestMaskable } from "./mask";
import { toModuleRows, type ModuleRows } from "./module-rows";
import { pngWriter } from "./png-writer.server";
import { codeLength, qrMatrix, qrPayload } from "./qr-image.server";

/**
 * Draws the codes of one QR_PAYLOAD template, each exactly as qrPng would; all its images have the
 * same number of bytes. Throws a RangeError for anything but a code of 12 letters and digits.
 */
type QrEncoder = {
  readonly pngSize: number;
  /** Fills `pngSize` bytes of the target from the offset on. */
  writePng(code: string, target: Uint8Array, offset: number): void;
  png(code: string): Buffer;
};

const form = new RegExp(`^[0-9A-Z]{${codeLength}}$`);

let last: { template: string; encoder: QrEncoder } | undefined;

/**
 * Codes up to version 3 (an address of 44 characters with the code, or 61 in upper case) are drawn
 * some 40 times faster than larger ones.
 * @param template of QR_PAYLOAD, with `{code}` in it
 */
export function qrEncoder(template: string): QrEncoder {
  if (last?.template !== template) last = { template, encoder: newQrEncoder(template) };
  return last.encoder;
}

function newQrEncoder(template: string): QrEncoder {
  const { size } = qrMatrix(qrPayload("0".repeat(codeLength), template));
  const writer = pngWriter(size);
  const rowsOf: (code: string) => ModuleRows =
    size <= largestMaskable
      ? linearCode(template, size)
      : (code) => toModuleRows(qrMatrix(qrPayload(code, template)));
  const draw = (code: string): Uint8Array => {
    if (!form.test(code)) throw new RangeError(`Not a code: ${code}`);
    return writer.write(rowsOf(code));
  };
  return {
    pngSize: writer.pngSize,
    writePng(code, target, offset) {
      target.set(draw(code), offset);
    },
    png: (code) => Buffer.from(draw(code)),
  };
}
