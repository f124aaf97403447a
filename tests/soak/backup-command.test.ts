import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { dataFolder, startApp } from "../support/app";
import { backupFile, readManifest, startCommand } from "../support/backups";

it("backs up the embedded database beside the product and without it, and restores it elsewhere", async () => {
  const dataDir = dataFolder();
  const app = await startApp({ DATA_DIR: dataDir, SAMPLE_DATA: "0" }, { isWarm: true });
  await app.ready();
  const file = backupFile();
  const beside = await startCommand("backup", file, { DATA_DIR: dataDir });
  expect(await beside.ended).toBe(0);
  expect(beside.output()).toMatch(
    new RegExp(`^Backed up [0-9,]+ rows of \\d+ tables to ${file} \\(\\d+ KB\\)\\.\n`),
  );
  app.signal("SIGTERM");
  expect(await app.ended).toBe(0);

  const elsewhere = dataFolder();
  const missing = await startCommand("backup", backupFile(), { DATA_DIR: elsewhere });
  expect(await missing.ended).toBe(1);
  expect(missing.output()).toBe(
    `There is no database in ${elsewhere}. Set DATA_DIR or DATABASE_URL as for npm start.\n`,
  );
  const restore = await startCommand("restore", file, { DATA_DIR: elsewhere });
  expect(await restore.ended, restore.output()).toBe(0);
  expect(restore.output()).toContain(
    "It sends no mail, no report and no webhook call until an admin presses 'Resume outgoing messages' on its dashboard.",
  );
  expect(restore.output()).toContain("secret of DATA_DIR, is not that of the backup");
  const again = backupFile();
  const alone = await startCommand("backup", again, { DATA_DIR: elsewhere });
  expect(await alone.ended, alone.output()).toBe(0);
  expect(await readManifest(again)).toEqual(await readManifest(file));
});

it("leaves no database behind where the file to restore is a wrong one", async () => {
  const dataDir = dataFolder();
  const restore = await startCommand("restore", backupFile(), { DATA_DIR: dataDir });
  expect(await restore.ended).toBe(1);
  expect(restore.output()).toMatch(/^The backup can't be read \(ENOENT/);
  expect(existsSync(path.join(dataDir, "postgres"))).toBe(false);
});

it("leaves a folder that no start takes for a new one where the file is damaged, until a restore succeeds", async () => {
  const file = backupFile();
  const source = dataFolder();
  const app = await startApp({ DATA_DIR: source, SAMPLE_DATA: "0" }, { isWarm: true });
  await app.ready();
  const backup = await startCommand("backup", file, { DATA_DIR: source });
  expect(await backup.ended, backup.output()).toBe(0);
  await app.stop();
  const damaged = backupFile();
  writeFileSync(damaged, readFileSync(file).subarray(0, -1));

  const dataDir = dataFolder();
  const failed = await startCommand("restore", damaged, { DATA_DIR: dataDir });
  expect(await failed.ended).toBe(1);
  expect(failed.output()).toContain("is damaged or not complete. Nothing was restored");
  const start = await startApp({ DATA_DIR: dataDir, SAMPLE_DATA: "0" });
  expect(await start.ended).toBe(1);
  expect(start.output()).toContain(`The restore into ${dataDir} did not finish.`);
  const restore = await startCommand("restore", file, { DATA_DIR: dataDir });
  expect(await restore.ended, restore.output()).toBe(0);
  const restored = await startApp({ DATA_DIR: dataDir, SAMPLE_DATA: "0" });
  await restored.ready();
  expect(restored.output()).not.toContain("First sign-in");
});

it("leaves no database running when it is stopped while that starts", async () => {
  const dataDir = dataFolder();
  const [pidFile, lock] = ["postgres/postmaster.pid", "lock"].map((name) =>
    path.join(dataDir, name),
  ) as [string, string];
  const app = await startApp({ DATA_DIR: dataDir, SAMPLE_DATA: "0" }, { isWarm: true });
  await app.ready();
  await app.stop();
  const backup = await startCommand("backup", backupFile(), { DATA_DIR: dataDir });
  await expect.poll(() => existsSync(pidFile), { timeout: 20_000, interval: 1 }).toBe(true);
  backup.signal("SIGTERM");
  expect(await backup.ended, backup.output()).toBe(1);
  expect([pidFile, lock].filter((file) => existsSync(file))).toEqual([]);
});
