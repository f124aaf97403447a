import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import PDFDocument from "pdfkit";
import { toBuffer } from "qrcode";
import { connect, disconnect } from "../../app/db/connection.server";
import type { LabelSet } from "../../app/features/labels/label-set.server";
import { parseLabelOptions } from "../../app/features/labels/label-options";
import { labelsPdf } from "../../app/features/labels/label-files.server";
import { labelPlace, labelsPerSheet } from "../../app/features/labels/label-sheets";
import { generateCodes } from "../../app/features/promotions/code";
import { formatCode } from "../../app/format/promotion";
import { insertMassGeneration } from "../factories/mass-generations";
import { embeddedUrl } from "../support/embedded-url";
import { secondsOf, type Row } from "./row";
import { admin, download, signIn, spawnProduct, type Downloaded } from "./server";

let sent: Promise<Downloaded> | undefined;

/** 10,000 labels over HTTP. */
async function sendLabels(): Promise<Downloaded> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-bench-labels-"));
  const { child, origin, stop } = await spawnProduct({
    DATABASE_URL: "",
    DATA_DIR: dataDir,
    SAMPLE_DATA: "0",
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  try {
    connect(embeddedUrl(dataDir));
    const id = await insertMassGeneration({
      num_codes: 10_000,
      expires_at: new Date("2099-12-31T23:00:00Z"),
    });
    await disconnect();
    const headers = await signIn(origin);
    const labels = `${origin}/app/qr-generation/${id}/labels`;
    await (await fetch(labels, { headers })).text();
    return await download(child.pid!, `${labels}.pdf`, headers);
  } finally {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function sentRow(name: string, ceiling: number, figure: keyof Downloaded): Row {
  return {
    name: `10,000 labels as PDF: ${name}`,
    async measure() {
      const file = await (sent ??= sendLabels());
      const detail = `${(file.bytes / 1e6).toFixed(2)} MB in ${file.seconds.toFixed(1)} s`;
      return { ratio: file[figure], ceiling, detail };
    },
  };
}

function setOf(count: number): LabelSet {
  const { options } = parseLabelOptions(new URLSearchParams(), count);
  const labels = generateCodes(count, randomBytes).map((code, index) => ({
    number: index + 1,
    code,
    expiresAt: new Date("2099-12-31T23:00:00Z"),
  }));
  const source = {
    kind: "mass_generation" as const,
    added: [],
    id: "1",
    name: "Summer party",
    numCodes: count,
    discountValue: 15,
    discountType: "percentage" as const,
    createdAt: new Date(0),
  };
  return { source, options, labels, template: "{code}", timeZone: "UTC" };
}

/** Implementation from the manuals of both packages: a PNG of each code, and text beside it. */
async function drawUnoptimised({ options: { sheet }, labels }: LabelSet): Promise<void> {
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
  return count / (await secondsOf(() => draw(set)));
}

const againstUnoptimised: Row = {
  name: "Labels as PDF: labels/s against qrcode.toBuffer and pdfkit's image and text",
  async measure() {
    const drawOurs = async (set: LabelSet) => {
      for await (const piece of labelsPdf(set, 0)) void piece;
    };
    // The first round warms both up.
    await Promise.all([perSecond(500, drawOurs), perSecond(50, drawUnoptimised)]);
    const ours = await perSecond(5_000, drawOurs);
    const unoptimised = await perSecond(300, drawUnoptimised);
    return {
      ratio: ours / unoptimised,
      floor: 10,
      detail: `${Math.round(ours)}/s against ${Math.round(unoptimised)}/s`,
    };
  },
};

export const labelRows: Row[] = [
  sentRow("memory over idle, MB", 80, "megabytesOverIdle"),
  sentRow("first byte, s", 1, "firstByte"),
  againstUnoptimised,
];
