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
import { runRows, type Row } from "./row";
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

const words = process.argv.slice(2);
// Making its rows takes long: nobody waits for them who did not ask.
const holds = await runRows(words.includes("huge") ? hugeRows : rows, words);
await closeRedemptions();
await closeMillion();
process.exitCode = holds ? 0 : 1;
