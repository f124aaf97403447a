import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A C program of libqrencode and zlib; dispose of it after use. */
type LibqrencodePeer = {
  /** Draws the payloads a number of times. */
  draw(payloads: string[], passes: number): { cpuSeconds: number; bytes: number; last: Buffer };
  dispose(): void;
};

/** @returns null on a machine without a C compiler, libqrencode or zlib */
export function compilePeer(): LibqrencodePeer | null {
  const headers = ["-include", "qrencode.h", "-include", "zlib.h"];
  const probe = spawnSync("cc", ["-fsyntax-only", ...headers, "-x", "c", "/dev/null"]);
  if (probe.status !== 0) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "promo-peer-"));
  const program = path.join(folder, "libqrencode-peer");
  const source = path.join(import.meta.dirname, "libqrencode-peer.c");
  execFileSync("cc", ["-O2", "-o", program, source, "-lqrencode", "-lz"]);
  return {
    draw(payloads, passes) {
      const input = payloads.map((payload) => `${payload}\n`).join("");
      const output = execFileSync(program, [String(passes)], { input, encoding: "utf8" });
      const [seconds, bytes, last] = output.split("\n");
      return {
        cpuSeconds: Number(seconds),
        bytes: Number(bytes),
        last: Buffer.from(last!, "hex"),
      };
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}
