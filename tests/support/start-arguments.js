import { readFileSync } from "node:fs";
import path from "node:path";

/** @type {{ scripts: { start: string } }} */
const { scripts } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../package.json"), "utf8"),
);

/** Arguments that `npm start` gives to Node: options of V8, and the script last. */
export const startArguments = scripts.start.split(" ").slice(2);

/** Options of V8 with which `npm start` runs the product. */
export const startOptions = startArguments.slice(0, -1);
