import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadOrCreateSecret } from "./app-secret.server";

describe("loadOrCreateSecret", () => {
  it("creates a secret once, and rejects a file that is empty or can't be read", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "promo-secret-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "secret");
    const secret = loadOrCreateSecret(file);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(loadOrCreateSecret(file)).toBe(secret);
    writeFileSync(file, "\n");
    expect(() => loadOrCreateSecret(file)).toThrow(`The file ${file} is empty. Restore it`);
    expect(() => loadOrCreateSecret(folder)).toThrow(`The file ${folder} can't be read (EISDIR`);
  });
});
