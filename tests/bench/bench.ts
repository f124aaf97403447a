import { exportRows } from "./export";
import { floodRows } from "./floods";
import { hugeRows } from "./huge";
import { importRows } from "./import";
import { labelRows } from "./labels";
import { massGenerationRows } from "./mass-generation";
import { closeMillion } from "./million";
import { newCodeRows } from "./new-codes";
import { pageRows } from "./pages";
import { promotionQueries, searchRows } from "./promotion-queries";
import { qrImageRows } from "./qr-image";
import { reportRows } from "./reports";
import { closeRedemptions, redemptionRows } from "./redemption";
import { slowLineRows } from "./slow-line";
import type { Row } from "./row";
import { syncRow } from "./sync";
import { storeZipRow } from "./store-zip";
import { writeRows } from "./writes";

/** `npm run bench`: every row, or those whose name contains a given word. Fails below a floor. */
const rows: Row[] = [
  ...qrImageRows,
  storeZipRow,
  ...massGenerationRows,
  ...redemptionRows,
  ...writeRows,
  syncRow,
  ...importRows,
  ...labelRows,
  ...floodRows,
  ...pageRows,
  ...slowLineRows,
  ...promotionQueries,
  ...searchRows,
  ...newCodeRows,
  ...exportRows,
  // The last ones: they add a history to the promotions of the others.
  ...reportRows,
];

const words = process.argv.slice(2).map((word) => word.toLowerCase());
// Making its rows takes long: nobody waits for them who did not ask.
const chosen = (words.includes("huge") ? hugeRows : rows).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
if (chosen.length === 0) throw new Error(`No row is called ${words.join(" or ")}`);

let hasFailed = false;
for (const row of chosen) {
  try {
    if (!(await printRow(row))) hasFailed = true;
  } catch (error) {
    hasFailed = true;
    console.log(`FAIL           ${row.name}`);
    console.log(
      `                         ${error instanceof Error ? error.message.slice(-200) : error}`,
    );
  }
}
await closeRedemptions();
await closeMillion();
process.exitCode = hasFailed ? 1 : 0;

/** @returns whether the bound holds, or could not be measured here */
async function printRow({ name, measure }: Row): Promise<boolean> {
  const figure = await measure();
  if ("skipped" in figure) {
    console.log(`skip           ${name}`);
    console.log(`                         ${figure.skipped}`);
    return true;
  }
  const { ratio, detail } = figure;
  const isFloor = "floor" in figure;
  const bound = isFloor ? figure.floor : figure.ceiling;
  const holds = isFloor ? ratio >= bound : ratio <= bound;
  const words = `${holds ? "ok  " : "FAIL"} ${ratio.toFixed(2).padStart(8)}`;
  console.log(`${words}  ${isFloor ? "≥" : "≤"} ${String(bound).padEnd(5)} ${name}`);
  console.log(`                         ${detail}`);
  return holds;
}
