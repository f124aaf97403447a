import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import PDFDocument from "pdfkit";
import { toBuffer } from "qrcode";
import { connect, disconnect } from "../../app/db/connection.server";
import type { LabelSet } from "../../app/features/labels/generation-labels.server";
import { parseLabelOptions } from "../../app/features/labels/label-options";
import { labelsPdf } from "../../app/features/labels/label-files.server";
import { labelPlace, labelsPerSheet } from "../../app/features/labels/label-sheets";
import { generateCodes } from "../../app/features/promotions/code";
import { formatCode } from "../../app/format/promotion";
import { insertMassGeneration } from "../factories/mass-generations";
import type { Row } from "./row";
import { admin, signIn, spawnProduct } from "./server";

const inMegabytes = 1_024 * 1_024;

type Sent = { firstByte: number; seconds: number; memory: number; bytes: number };
let sent: Promise<Sent> | undefined;

/** 10,000 labels over HTTP from a server that has nothing else to do. */
async function sendLabels(): Promise<Sent> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-bench-labels-"));
  const { child, origin } = await spawnProduct({
    DATABASE_URL: "",
    DATA_DIR: dataDir,
    SAMPLE_DATA: "0",
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  try {
    connect(await databaseUrl(dataDir));
    const id = await insertMassGeneration({
      num_codes: 10_000,
      expires_at: new Date("2099-12-31T23:00:00Z"),
    });
    await disconnect();
    const headers = await signIn(origin);
    await (await fetch(`${origin}/app/qr-generation/${id}/labels`, { headers })).text();
    return await receive(child.pid!, `${origin}/app/qr-generation/${id}/labels.pdf`, headers);
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function databaseUrl(dataDir: string): Promise<string> {
  const lines = (await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  const password = (await readFile(path.join(dataDir, "postgres-password"), "utf8")).trim();
  const host = encodeURIComponent(lines[4] ?? "");
  return `postgresql://promo_console:${password}@/promo_console?host=${host}`;
}

async function receive(pid: number, address: string, headers: HeadersInit): Promise<Sent> {
  const idle = await residentBytes(pid);
  let most = idle;
  const watch = setInterval(
    () => void residentBytes(pid).then((now) => (most = Math.max(most, now))),
    50,
  );
  const start = performance.now();
  const answer = await fetch(address, { headers });
  let firstByte = 0;
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    firstByte ||= performance.now() - start;
    bytes += chunk.length;
  }
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1_000;
  return { firstByte: firstByte / 1_000, seconds, bytes, memory: (most - idle) / inMegabytes };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1_024;
}

function sentRow(name: string, ceiling: number, figure: (sent: Sent) => number): Row {
  return {
    name: `10,000 labels as PDF: ${name}`,
    async measure() {
      const all = await (sent ??= sendLabels());
      const detail = `${(all.bytes / 1e6).toFixed(2)} MB in ${all.seconds.toFixed(1)} s`;
      return { ratio: figure(all), ceiling, detail };
    },
  };
}

function setOf(count: number): LabelSet {
  const { options } = parseLabelOptions(new URLSearchParams());
  const labels = generateCodes(count, randomBytes).map((code) => ({
    code,
    expiresAt: new Date("2099-12-31T23:00:00Z"),
  }));
  const generation = {
    ...{ id: "1", name: "Summer party", numCodes: count, discountValue: 15 },
    ...{ discountType: "percentage" as const, createdAt: new Date(0) },
  };
  return { generation, options, labels, template: "{code}", timeZone: "UTC" };
}

/** Implementation from the manuals of both packages: a PNG of each code, and text beside it. */
async function drawTheUsualWay({ options: { sheet }, labels }: LabelSet): Promise<void> {
  const document = new PDFDocument({ autoFirstPage: false, margin: 0 });
  document.resume();
  const point = 72 / 25.4;
  for (const [index, { code }] of labels.entries()) {
    const position = index % labelsPerSheet(sheet);
    if (position === 0) document.addPage({ size: "a4", margin: 0 });
    const { x, y } = labelPlace(sheet, position);
    document.image(await toBuffer(code, { scale: 8 }), x * point, y * point, { width: 38 * point });
    for (const [line, text] of [
      "Summer party",
      "15%",
      "valid until 31.12.2099",
      formatCode(code),
    ].entries()) {
      document
        .fontSize(8)
        .text(text, (x + 39) * point, (y + 8 + 5 * line) * point, { lineBreak: false });
    }
  }
  document.end();
}

async function perSecond(count: number, draw: (set: LabelSet) => Promise<void>): Promise<number> {
  const set = setOf(count);
  const start = performance.now();
  await draw(set);
  return (count * 1_000) / (performance.now() - start);
}

const againstTheUsual: Row = {
  name: "Labels as PDF: labels/s against qrcode.toBuffer and pdfkit's image and text",
  async measure() {
    const drawOurs = async (set: LabelSet) => {
      for await (const piece of labelsPdf(set, 0)) void piece;
    };
    // The first round warms both up.
    await Promise.all([perSecond(500, drawOurs), perSecond(50, drawTheUsualWay)]);
    const ours = await perSecond(5_000, drawOurs);
    const usual = await perSecond(300, drawTheUsualWay);
    return {
      ratio: ours / usual,
      floor: 10,
      detail: `${Math.round(ours)}/s against ${Math.round(usual)}/s`,
    };
  },
};

export const labelRows: Row[] = [
  sentRow("memory over idle, MB", 80, ({ memory }) => memory),
  sentRow("first byte, s", 1, ({ firstByte }) => firstByte),
  againstTheUsual,
];
