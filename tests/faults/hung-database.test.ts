import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect, db, disconnect, isDatabaseAlive } from "../../app/db/connection.server";
import { isDatabaseUnavailable } from "../../app/db/database-errors.server";
import { usePipeline } from "../support/pipeline";
import { cloneDatabase } from "../support/postgres";
import { startRelay } from "../support/relay";
import { send } from "../support/server";

const metricsToken = "token-of-the-metrics";
const pipeline = usePipeline({ metricsToken });
const never = () => new Promise<never>(() => {});

async function connectThroughRelay() {
  const { url, drop } = await cloneDatabase({ isEmpty: true });
  const relay = await startRelay(url);
  connect(relay.url);
  onTestFinished(async () => {
    await disconnect();
    await drop();
  });
  return relay;
}

describe("a database that hangs", () => {
  it("is noticed, and that it answers again as well", async () => {
    const relay = await connectThroughRelay();
    expect(await isDatabaseAlive()).toBe(true);
    relay.hang();
    expect(await isDatabaseAlive()).toBe(false);
    relay.resume();
    await vi.waitFor(async () => expect(await isDatabaseAlive()).toBe(true), { timeout: 30_000 });
  });

  it("makes every answer a 503 that says when to try again", async () => {
    pipeline.loader = pipeline.isDatabaseAlive = never;
    const targets = ["/screen", "/screen?_data=screen", "/download", "/api/x"];
    const answers = await Promise.all(targets.map((target) => send(pipeline.origin, target)));
    for (const { status, headers } of answers)
      expect([status, headers["retry-after"]]).toEqual([503, "2"]);
    expect(pipeline.lines).toHaveLength(targets.length);
    for (const line of pipeline.lines)
      expect(JSON.parse(line)).toMatchObject({
        msg: "The database is not available",
        res: { status: 503, reason: "database" },
        err: { message: "The database does not answer" },
      });
  });

  it("ends no request that is slow while the database answers", async () => {
    let checks = 0;
    pipeline.isDatabaseAlive = async () => {
      checks++;
      return true;
    };
    pipeline.loader = async () => {
      await vi.waitFor(() => expect(checks).toBeGreaterThan(0), { timeout: 30_000 });
      return new Response("done");
    };
    expect((await send(pipeline.origin, "/download")).body).toBe("done");
  });

  it("makes the server not ready, and leaves the metrics that need no database", async () => {
    (await connectThroughRelay()).hang();
    pipeline.isReady = never;
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const [readiness, health, metrics] = await Promise.all([
      send(pipeline.origin, "/readyz"),
      send(pipeline.origin, "/healthz"),
      send(pipeline.origin, "/metrics", { headers }),
    ]);
    expect([readiness.status, health.status, metrics.status]).toEqual([503, 200, 200]);
    expect(metrics.body).toMatch(/^promo_ready 0$/m);
    expect(metrics.body).toMatch(/^promo_requests_total\{/m);
    expect(metrics.body).not.toMatch(/^promo_(machine_sync_age_seconds|outbox_mails)/m);
  });
});

it("knows a connection that is lost without a word, whatever the statement", async () => {
  const relay = await connectThroughRelay();
  const statements = ["select pg_sleep(20)", "select pg_sleep(20), ' - x'"];
  const lost = statements.map((sql) =>
    db()
      .raw(sql)
      .then(
        () => null,
        (error: unknown) => error,
      ),
  );
  await vi.waitFor(async () => {
    const { rows } = await db().raw<{ rows: object[] }>(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
    );
    expect(rows).toHaveLength(2);
  });
  relay.close();
  for (const error of await Promise.all(lost)) {
    expect((error as Error).message).toContain("pg_sleep");
    expect(isDatabaseUnavailable(error)).toBe(true);
  }
});
