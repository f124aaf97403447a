import { expect, it, onTestFinished } from "vitest";
import { testSecret } from "../support/app-secret";
import { dataFolder, preload, startApp } from "../support/app";
import { reportFigures } from "../support/fault-figures";
import { cloneDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

/** Makes the process fail as a bug outside every request would, when it gets a signal. */
const bugs = {
  "an exception": `throw new Error("a bug")`,
  "a rejected promise": `Promise.reject(new Error("a bug"))`,
};

it.each(Object.entries(bugs).slice(0, repetitions(1, 2)))(
  "%s that nothing catches is printed and ends the process, which never goes on after it",
  async (kind, bug) => {
    const { drop, url } = await cloneDatabase();
    onTestFinished(drop);
    const app = await startApp({
      DATABASE_URL: url,
      APP_SECRET: testSecret,
      DATA_DIR: dataFolder(),
      SAMPLE_DATA: "0",
      ...preload(`process.on("SIGUSR2", () => { ${bug} })`),
    });
    await app.ready();
    app.signal("SIGUSR2");
    const signalled = performance.now();
    const code = await app.ended;
    expect(code).toBe(1);
    expect(app.output()).toMatch(/Error: a bug\n\s+at /);
    reportFigures(
      "F31",
      `${kind}: exit code ${code} after ${Math.round(performance.now() - signalled)} ms`,
    );
  },
);
