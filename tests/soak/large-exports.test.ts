import { get, type IncomingMessage } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertMany } from "../factories/promotions";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const server = useServer();
const csv = "/app/qr-list/export.csv";
const rows = 20_000;
const session = useSession(server);
beforeAll(() => insertMany(rows));

describe("the CSV of many codes", () => {
  it.each([
    ["codes", csv],
    ["campaigns", `${csv}?view=campaigns`],
  ])("needs little memory, however many %s there are", async (_rows, address) => {
    const idle = await server.residentBytes();
    let most = 0;
    const watch = setInterval(() => {
      void server.residentBytes().then((bytes) => (most = Math.max(most, bytes)));
    }, 20);
    for (let round = 0; round < 3; round++) {
      const { body } = await session.get(address);
      expect(body.split("\r\n").length).toBeGreaterThan(rows);
    }
    clearInterval(watch);
    expect(most - idle).toBeLessThan(80 * 1024 * 1024);
  });

  it("waits for a client that doesn't read, and stops when it hangs up", async () => {
    const { duration } = await session.get(csv);
    // More than the buffers on the way hold.
    for (const batch of ["a", "b", "c"]) await insertMany(rows, batch, "Many ".repeat(40));
    const headers = { Cookie: session.cookie };
    const request = get(`${server.origin}${csv}`, { headers, agent: false });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve).once("error", reject);
    });
    await expect.poll(isStandingStill, { timeout: 20_000 }).toBe(true);
    const standing = await lastPageAt();

    // It had not come to its end: more pages follow as soon as somebody reads.
    answer.resume();
    await expect.poll(lastPageAt, { interval: 5, timeout: 30_000 }).not.toBe(standing);
    answer.pause();
    const hungUpAt = Date.now();
    request.destroy();
    await expect.poll(isStandingStill, { timeout: 20_000 }).toBe(true);
    // The rest would take several times as long as the first 20,000 rows did.
    const last = await lastPageAt();
    // Without a time the connection has served something else since.
    expect(last === "" ? 0 : Date.parse(last) - hungUpAt).toBeLessThan(duration);
    expect(server.output()).not.toMatch(/"level":(50|60)/);
    expect((await server.send("/readyz")).status).toBe(200);
  });
});

/** When a page of the export was last asked for. */
async function lastPageAt(): Promise<string> {
  const { rows: found } = await db().raw<{ rows: { at: string }[] }>(
    `select coalesce(max(query_start)::text, '') as at from pg_stat_activity
     where datname = current_database() and query like 'with clock%'
       and pid <> pg_backend_pid()`,
  );
  return found[0]!.at;
}

/** Tells whether no page is asked for during 400 ms: nothing else shows that an export has come to a halt. */
async function isStandingStill(): Promise<boolean> {
  const before = await lastPageAt();
  await new Promise((resolve) => setTimeout(resolve, 400));
  return before === (await lastPageAt());
}
