import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dataFolder, startApp } from "../support/app";

it.skipIf(process.getuid?.() !== 0)(
  "works from a checkout below a private folder of root",
  async () => {
    const base = path.dirname(dataFolder());
    chmodSync(base, 0o700);
    const checkout = path.join(base, "checkout");
    mkdirSync(path.join(checkout, "app/server"), { recursive: true });
    for (const name of ["build", "migrations", "app/demo/migrations", "package.json"]) {
      cpSync(path.resolve(name), path.join(checkout, name), { recursive: true });
    }
    // The binaries below this link can be reached; the data can't.
    symlinkSync(path.resolve("node_modules"), path.join(checkout, "node_modules"));
    writeFileSync(
      path.join(checkout, "main.mjs"),
      `process.chdir(${JSON.stringify(checkout)});
     const build = await import("./build/server/index.js");
     await build.entry.module.start({ build: async () => build, clientFolder: "build/client" });`,
    );
    const main = path.join(checkout, "main.mjs");
    const app = await startApp({ SAMPLE_DATA: "0" }, { main });
    await app.ready();
    const place = /database lives in (\/var\/lib\/promo-console\/[0-9a-f]{16})\./.exec(
      app.output(),
    )?.[1];
    expect(place).toBeDefined();
    onTestFinished(() => rmSync(place ?? "", { recursive: true, force: true }));
    app.signal("SIGTERM");
    expect(await app.ended).toBe(0);

    const again = await startApp({ SAMPLE_DATA: "0" }, { main });
    await again.ready();
    expect(again.output()).not.toContain("sign-in");
    again.signal("SIGTERM");
    expect(await again.ended).toBe(0);
  },
);
