import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { useServer } from "../support/server";

const dataDir = mkdtempSync(path.join(tmpdir(), "promo-mail-files-"));
const outbox = path.join(dataDir, "outbox");
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Makes a file that was written so many days ago. */
function addFile(name: string, days: number): string {
  mkdirSync(outbox, { recursive: true });
  writeFileSync(path.join(outbox, name), "");
  const written = Date.now() / 1_000 - days * 86_400;
  utimesSync(path.join(outbox, name), written, written);
  return name;
}

const mailFile = (days: number, ending = "eml") =>
  addFile(`2026-10-01T12-00-00-${randomUUID()}.${ending}`, days);

mailFile(30.1);
mailFile(40, "eml.part");
const kept = [mailFile(29.9), mailFile(1, "eml.part"), addFile("notes.eml", 40)];
useServer({ environment: { DATA_DIR: dataDir } });

it("deletes files of mails after 30 days, as it deletes the rows of sent mails, and no other file", async () => {
  await expect.poll(() => readdirSync(outbox).sort()).toEqual(kept.sort());
});
