import { readFileSync } from "node:fs";
import path from "node:path";

const { scripts } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../package.json"), "utf8"),
) as { scripts: { start: string } };

/** Arguments that `npm start` gives to Node: options of V8, and the script last. */
export const startArguments = scripts.start.split(" ").slice(2);
