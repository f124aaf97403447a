import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { connect, db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { codeOf, importLargeFile } from "../support/large-import";
import { secondsOf, type Row } from "./row";
import { withClient } from "../support/run-sql";
import { withPostgres } from "./server";

const count = 200_000;
const maxGrownMb = 60;

/** The same rows by COPY into the same table, with its indexes and triggers, and nothing else. */
const copyBare = (url: string, prefix: string): Promise<void> =>
  withClient(url, async (client) => {
    const columns =
      "code, name, discount_type, discount_value, is_single_use, is_renewable, max_uses, set_id";
    const { rows } = await client.query<{ id: string }>(
      "insert into assignment_sets (is_assigned) values (false) returning id",
    );
    const lines = function* () {
      for (let row = 0; row < count; row++)
        yield `${codeOf(prefix, row)}\tBatch ${Math.floor(row / 500)}\tpercentage\t20\tt\tf\t1\t${rows[0]!.id}\n`;
    };
    await pipeline(
      Readable.from(lines()),
      client.query(copyFrom(`copy promotions (${columns}) from stdin`)),
    );
  });

let measured:
  Promise<{ seconds: number; bare: number; grownMb: number; detail: string }> | undefined;

const measureImport = () =>
  withPostgres(async (url) => {
    connect(url, { log: console.error });
    await loadSite();
    const { id: userId } = await insertUser();
    for (const serial_number of ["VM-1", "VM-2"]) await insertMachine({ serial_number });
    // The first file compiles what the second one runs.
    await importLargeFile(2_000, "WARM", userId);
    const { upload, check, run, grownMb } = await importLargeFile(count, "FILE", userId);
    await db().raw("vacuum analyze promotions");
    const bare = await secondsOf(() => copyBare(url, "COPY"));
    const seconds = upload + check + run;
    const steps = [upload, check, run].map((step) => step.toFixed(1)).join(" + ");
    const detail = `${count} rows in ${steps} s, COPY ${bare.toFixed(1)} s, +${grownMb.toFixed(0)} MB`;
    return { seconds, bare, grownMb, detail };
  });

const figures = () => (measured ??= measureImport());

export const importRows: Row[] = [
  {
    name: "imports: upload, dry run and import against COPY of the same rows",
    async measure() {
      const { seconds, bare, detail } = await figures();
      return { ratio: bare / seconds, floor: 0.3, detail };
    },
  },
  {
    name: "imports: growth of the memory in use, in units of 60 MB",
    async measure() {
      const { grownMb, detail } = await figures();
      return { ratio: grownMb / maxGrownMb, ceiling: 1, detail };
    },
  },
];
