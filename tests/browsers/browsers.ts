import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../support/free-port";
import { startEmbeddedApp } from "../support/browser-app";
import { openTcpRelay } from "../support/tcp-relay";
import type { Engine } from "./engine";
import { chromium } from "./engines/chromium";
import { firefox } from "./engines/firefox";
import { webkit } from "./engines/webkit";
import { journey } from "./journey";
import { Page } from "./page";
import { signInToApi, type Visit } from "./visit";

const screenshots = path.resolve("test-results/browsers");

const counts = { passed: 0, failed: 0 };
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const engines = [chromium, firefox, webkit].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
const missing = engines.filter(({ find }) => find() === null);

const network = await openTcpRelay({ host: "localhost", port: await freePort() });
const started = await startEmbeddedApp({
  PORT: String(network.target.port),
  APP_ORIGIN: `http://localhost:${network.port}`,
});
const app = { ...started, token: await signInToApi(started) };
try {
  for (const engine of engines) {
    const program = engine.find();
    if (program) await run(engine, program);
  }
} finally {
  network.close();
  await app.stop();
}
for (const { name, installation } of missing)
  console.log(`\n${name} is not installed: ${installation}`);
if (engines.every((engine) => engine === chromium || missing.includes(engine))) {
  console.log("\nNo engine but Chromium was there, which `npm test` tries as well.");
  process.exitCode = 1;
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
if (counts.failed > 0) process.exitCode = 1;

/** Runs each step of the journey; one that fails leaves a screenshot, and the next ones run all the same. */
async function run(engine: Engine, program: string): Promise<void> {
  let visit = await launch(engine, program);
  console.log(`\n${engine.name} ${visit.browser.version} (${program})`);
  for (const { name, isFirstVisit, run } of journey) {
    const start = performance.now();
    try {
      if (isFirstVisit) {
        await close(visit);
        visit = await launch(engine, program);
      }
      await run(visit);
      counts.passed += 1;
      console.log(`✓ ${engine.name} ${name} (${seconds(start)})`);
    } catch (error) {
      counts.failed += 1;
      network.mend();
      console.log(`✗ ${engine.name} ${name} (${seconds(start)})\n`, error);
      await takeScreenshot(visit, `${engine.name} ${name}`);
    }
  }
  await close(visit);
}

function seconds(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}

async function launch(engine: Engine, program: string): Promise<Visit> {
  const folder = await mkdtemp(path.join(tmpdir(), "promo-console-browser-"));
  const browser = await engine.launch(program, folder);
  await browser.resize(1366, 768);
  const page = new Page(browser, app.origin);
  return { browser, page, app, network, folder, engine: engine.name };
}

async function close({ browser, folder }: Visit): Promise<void> {
  await browser.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function takeScreenshot({ browser }: Visit, name: string): Promise<void> {
  const file = path.join(screenshots, `${name}.png`);
  try {
    await mkdir(screenshots, { recursive: true });
    await writeFile(file, await browser.screenshot());
    console.log(file);
  } catch (error) {
    console.log("There is no screenshot:", error);
  }
}
