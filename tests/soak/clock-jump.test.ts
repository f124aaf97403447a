import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { dataFolder, preload, startApp } from "../support/app";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { reportFigures, tally } from "../support/fault-figures";
import { openClone } from "../support/postgres";
import { addUser, cookieOf, password, redeemAt, send } from "../support/server";
import { testSecret } from "../support/app-secret";

const clockOff = pathToFileURL(path.resolve("tests/support/clock-off.js")).href;
/** Sets the clock an hour back at the first signal, and an hour ahead at the second. */
const jumps = `import { setClockOff } from "${clockOff}";
const jumps = [-3_600_000, 3_600_000];
process.on("SIGUSR2", () => { setClockOff(jumps.shift()); console.log("The clock has jumped."); });`;

it("pages, sessions, redemptions and an orderly stop go on when the clock jumps back and ahead", async () => {
  const { url, close } = await openClone();
  onTestFinished(close);
  const app = await startApp({
    DATABASE_URL: url,
    APP_SECRET: testSecret,
    DATA_DIR: dataFolder(),
    SAMPLE_DATA: "0",
    ...preload(jumps),
  });
  await app.ready();
  await addUser("admin@example.com", "admin");
  const { secret } = await makeKey();
  const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 5 });
  const signIn = () =>
    send(app.origin, "/login", {
      method: "POST",
      body: { email: "admin@example.com", password },
    });
  const cookie = cookieOf(await signIn());
  const work = async () => {
    const redemption = await redeemAt(app.origin, secret, request(target));
    const page = await send(app.origin, "/app/transactions", { cookie });
    return [redemption.status, page.status, (await signIn()).status];
  };
  const statuses = await work();
  expect(statuses).toEqual([201, 200, 303]);
  for (const count of [1, 2]) {
    app.signal("SIGUSR2");
    await expect.poll(() => app.output().split("The clock has jumped.").length - 1).toBe(count);
    const answers = await work();
    expect(answers).toEqual([201, 200, 303]);
    statuses.push(...answers);
  }
  app.signal("SIGTERM");
  const code = await app.ended;
  expect(code).toBe(0);
  reportFigures(
    "F22",
    `an hour back and an hour ahead: redemptions, pages and sign-ins answered ${tally(statuses)}; exit code ${code}`,
  );
});
