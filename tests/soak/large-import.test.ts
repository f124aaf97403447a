import { expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { importLargeFile } from "../support/large-import";
import { useDatabase } from "../support/postgres";

useDatabase();

it(
  "imports 1,000,000 codes in memory that does not grow with them",
  { timeout: 1_800_000 },
  async () => {
    const { id } = await insertUser();
    for (const serial_number of ["VM-1", "VM-2"]) await insertMachine({ serial_number });
    await importLargeFile(2_000, "WARM", id);
    const { grownMb } = await importLargeFile(1_000_000, "FILE", id);
    expect(await db()("promotions").count()).toEqual([{ count: "1002000" }]);
    expect(grownMb).toBeLessThan(60);
  },
);
