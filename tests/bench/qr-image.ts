import { randomBytes } from "node:crypto";
import { toBuffer } from "qrcode";
import { generateCodes } from "../../app/features/promotions/code";
import { qrEncoder } from "../../app/codec/qr-encoder.server";
import { qrPayload, qrPng } from "../../app/codec/qr-image.server";
import { decodeQr } from "../support/decode-qr";
import { compilePeer } from "./libqrencode-peer";
import { inTurns, median, medianRatio, type Figure, type Row } from "./row";

const rounds = 9;
const templates = {
  "bare code": "{code}",
  "address of 36 characters": "https://promo.example/r/{code}",
  "address of 52 characters": "https://promo.example/campaigns/summer/r/{code}",
};
type Name = keyof typeof templates;

/** How many codes a CPU second encodes, all threads counted. */
type Encode = () => number | Promise<number>;

/** Our encoder against another. */
async function against(floor: number, ours: Encode, theirs: Encode): Promise<Figure> {
  const rates = await inTurns({ rounds }, ours, theirs);
  const [our, their] = rates.map(median);
  return {
    ratio: medianRatio(rates),
    floor,
    detail: `${Math.round(our!)} against ${Math.round(their!)} codes a CPU second`,
  };
}

async function cpuSeconds(work: () => void | Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
}

/** Into memory that is there already, as the archive does it. */
function encoderOf(template: string, codes: string[], passes: number): Encode {
  const encoder = qrEncoder(template, 12);
  const image = new Uint8Array(encoder.pngSize);
  return async () => {
    const seconds = await cpuSeconds(() => {
      for (let pass = 0; pass < passes; pass++) {
        for (const code of codes) encoder.writePng(code, image, 0);
      }
    });
    return (codes.length * passes) / seconds;
  };
}

function toBufferOf(payloads: string[]): Encode {
  return async () => {
    const seconds = await cpuSeconds(async () => {
      for (const payload of payloads) await toBuffer(payload, { scale: 8 });
    });
    return payloads.length / seconds;
  };
}

function payloadsOf(name: Name, codes: string[]): string[] {
  return codes.map((code) => qrPayload(code, templates[name]));
}

function againstC(name: Name): Row {
  return {
    name: `QR encoder, ${name}: codes a CPU second against libqrencode + zlib level 1 in C`,
    async measure() {
      const peer = compilePeer();
      if (!peer) return { skipped: "needs cc, libqrencode-dev and zlib1g-dev" };
      try {
        const codes = generateCodes(1_000, randomBytes);
        const payloads = payloadsOf(name, codes);
        const theirImage = decodeQr(peer.draw(payloads, 1).last);
        if (theirImage !== payloads.at(-1)) throw new Error(`The C program drew ${theirImage}`);
        return await against(5, encoderOf(templates[name], codes, 20), () => {
          return (payloads.length * 2) / peer.draw(payloads, 2).cpuSeconds;
        });
      } finally {
        peer.dispose();
      }
    },
  };
}

function againstToBuffer(name: Name, floor: number): Row {
  return {
    name: `QR encoder, ${name}: codes a CPU second against qrcode.toBuffer`,
    async measure() {
      const codes = generateCodes(60, randomBytes);
      const ours = encoderOf(templates[name], codes, floor > 100 ? 300 : 10);
      return against(floor, ours, toBufferOf(payloadsOf(name, codes)));
    },
  };
}

function oneImageAgainstToBuffer(name: Name): Row {
  return {
    name: `QR image, ${name}: images a CPU second against qrcode.toBuffer`,
    async measure() {
      const payloads = payloadsOf(name, generateCodes(60, randomBytes));
      const ours = async () => {
        const seconds = await cpuSeconds(() => {
          for (let pass = 0; pass < 4; pass++) for (const payload of payloads) qrPng(payload);
        });
        return (payloads.length * 4) / seconds;
      };
      return against(15, ours, toBufferOf(payloads));
    },
  };
}

function bytes(name: Name, ceiling: number): Row {
  return {
    name: `QR image, ${name}: bytes`,
    async measure() {
      const { pngSize } = qrEncoder(templates[name], 12);
      return { ratio: pngSize, ceiling, detail: "the same for every code" };
    },
  };
}

export const qrImageRows: Row[] = [
  againstC("bare code"),
  againstC("address of 36 characters"),
  againstToBuffer("bare code", 150),
  againstToBuffer("address of 36 characters", 150),
  againstToBuffer("address of 52 characters", 15),
  oneImageAgainstToBuffer("bare code"),
  oneImageAgainstToBuffer("address of 36 characters"),
  bytes("bare code", 260),
  bytes("address of 36 characters", 400),
];
