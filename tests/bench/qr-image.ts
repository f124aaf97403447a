import { randomBytes } from "node:crypto";
import { toBuffer } from "qrcode";
import { generateCodes } from "../../app/features/promotions/code";
import { qrPayload, qrPng } from "../../app/features/qr/qr-image.server";
import { median, type Row } from "./row";

const rounds = 9;

/** Our encoder against `qrcode.toBuffer({scale: 8})`, which draws the same picture. */
function encoderRow(name: string, template: string): Row {
  return {
    name: `QR image, ${name}: images/s against qrcode.toBuffer`,
    async measure() {
      const payloads = payloadsOf(template, 60);
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const [fast, slow] = [
          await perSecond(payloads, 4, (payload) => qrPng(payload)),
          await perSecond(payloads, 1, (payload) => toBuffer(payload, { scale: 8 })),
        ];
        // The first round warms both up.
        if (round > 0) {
          ours.push(fast);
          theirs.push(slow);
        }
      }
      return {
        ratio: median(ours.map((fast, round) => fast / theirs[round]!)),
        floor: 15,
        detail: `${Math.round(median(ours))}/s against ${Math.round(median(theirs))}/s`,
      };
    },
  };
}

function sizeRow(name: string, template: string): Row {
  return {
    name: `QR image, ${name}: 400 bytes against the largest of 500`,
    async measure() {
      const sizes = payloadsOf(template, 500).map((payload) => qrPng(payload).length);
      const largest = Math.max(...sizes);
      return {
        ratio: 400 / largest,
        floor: 1,
        detail: `median ${median(sizes)}, largest ${largest}`,
      };
    },
  };
}

function payloadsOf(template: string, count: number): string[] {
  return generateCodes(count, randomBytes).map((code) => qrPayload(code, template));
}

async function perSecond(
  payloads: string[],
  passes: number,
  encode: (payload: string) => Buffer | Promise<Buffer>,
): Promise<number> {
  const start = performance.now();
  for (let pass = 0; pass < passes; pass++) for (const payload of payloads) await encode(payload);
  return (payloads.length * passes * 1_000) / (performance.now() - start);
}

const address = "https://promo.example/r/{code}";
export const qrImageRows: Row[] = [
  encoderRow("bare code", "{code}"),
  encoderRow("address of 36 characters", address),
  sizeRow("bare code", "{code}"),
  sizeRow("address of 36 characters", address),
];
