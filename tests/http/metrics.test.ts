import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertRedeemable, makeKey, newCode, request } from "../factories/redemptions";
import { accessMatrix } from "../security/access-matrix";
import { usePipeline } from "../support/pipeline";
import { readMetrics } from "../support/read-metrics";
import { openSessionOf, useServer } from "../support/server";

const token = "token-of-the-metrics";
const server = useServer({ environment: { METRICS_TOKEN: token } });
const pipelineWithoutToken = usePipeline();

const scrape = (authorization = `Bearer ${token}`) =>
  server.send("/metrics", { headers: { Authorization: authorization } });

async function read() {
  return readMetrics((await scrape()).body);
}

/** Runs work, and waits until each of the counters has risen by exactly as much. */
async function expectRises(rises: Record<string, number>, work: () => Promise<unknown>) {
  const before = await read();
  await work();
  await vi.waitFor(
    async () => {
      const after = await read();
      const risen = Object.keys(rises).map((name) => [
        name,
        (after.get(name) ?? 0) - (before.get(name) ?? 0),
      ]);
      expect(Object.fromEntries(risen)).toEqual(rises);
    },
    { timeout: 30_000 },
  );
}

const countOf = (method: string, route: string, status: number) =>
  `promo_requests_total{method="${method}",route="${route}",status="${status}"}`;

const { redeem } = server;

describe("/metrics", () => {
  it("wants its own token, and nothing else opens it", async () => {
    const cookie = await openSessionOf();
    const { secret } = await makeKey();
    expect((await server.send("/metrics", { cookie })).status).toBe(401);
    for (const authorization of ["", token, `Bearer ${token}x`, `Bearer ${secret}`, "Bearer "]) {
      const refused = await scrape(authorization);
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(refused.body).not.toContain("promo_");
    }
    for (const scheme of ["Bearer", "bearer"])
      expect((await scrape(`${scheme} ${token}`)).status).toBe(200);
    expect((await server.send("/metrics", { method: "POST" })).status).toBe(405);
  });

  it("is not there without a token", async () => {
    expect((await pipelineWithoutToken.send("/metrics")).status).toBe(404);
  });

  it("is OpenMetrics, and has the state of process, pools and machines", async () => {
    const answer = await scrape();
    expect(answer.headers["content-type"]).toMatch(/^application\/openmetrics-text; version=1/);
    const metrics = readMetrics(answer.body);
    expect(metrics.get("promo_ready")).toBe(1);
    // The platform of the tests never answers.
    expect(metrics.get("promo_machine_sync_age_seconds")).toBe(Infinity);
    expect(metrics.get('promo_info{version="1.0.0"}')).toBe(1);
    expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(metrics.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
    for (const state of ["pending", "failed"])
      expect(metrics.get(`promo_outbox_mails{state="${state}"}`)).toBe(0);
    for (const name of ["waiting_events", "oldest_waiting_seconds"])
      expect(metrics.get(`promo_webhook_${name}`)).toBe(0);
    for (const pool of ["pages", "redemptions"]) {
      expect(metrics.get(`promo_database_waiting{pool="${pool}"}`)).toBe(0);
      for (const state of ["used", "idle"])
        expect(metrics.has(`promo_database_connections{pool="${pool}",state="${state}"}`)).toBe(
          true,
        );
    }
  });

  it("counts each request once, under its route", async () => {
    const pages = countOf("GET", "routes/login", 200);
    const rises = {
      [pages]: 3,
      [countOf("GET", "routes/app.qr-list", 302)]: 1,
      [countOf("GET", "routes/app.qr-list", 204)]: 1,
      [countOf("GET", "routes/$", 404)]: 1,
      [countOf("POST", "redemption", 401)]: 1,
      [countOf("POST", "rollback", 401)]: 1,
      [countOf("GET", "health", 200)]: 1,
      [countOf("GET", "asset", 200)]: 1,
      'promo_request_duration_seconds_count{route="routes/login"}': 3,
      'promo_request_duration_seconds_bucket{le="+Inf",route="routes/login"}': 3,
    };
    await expectRises(rises, async () => {
      for (let time = 0; time < 3; time++) await server.send("/login");
      await server.send("/app/qr-list");
      await server.send("/app/qr-list?_data=routes/app.qr-list");
      await server.send("/nowhere");
      await redeem("", {});
      await server.send("/api/redemptions/x/rollback", { method: "POST" });
      await server.send("/healthz");
      await server.send("/favicon.svg");
    });
  });

  it("counts redemptions by their outcome", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const rises = {
      'promo_redemptions_total{outcome="applied"}': 2,
      'promo_redemptions_total{outcome="unknown"}': 1,
      'promo_redemptions_total{outcome="conflict"}': 1,
      'promo_rollbacks_total{outcome="rolled_back"}': 1,
    };
    await expectRises(rises, async () => {
      const first = request(target);
      await redeem(secret, first);
      await redeem(secret, request(target));
      await redeem(secret, request({ ...target, code: newCode() }));
      await redeem(secret, { ...first, originalPrice: 1 });
      const rollback = `/api/redemptions/${first.redemptionId}/rollback`;
      await server.call("POST", rollback, { token: secret });
    });
  });

  it("counts sign-ins that were rejected for their number", async () => {
    const body = { email: "guessed@example.com", password: "wrong" };
    const guess = () => server.send("/login", { method: "POST", body });
    await expectRises({ 'promo_rejections_total{reason="signInFailures"}': 1 }, async () => {
      await guess();
      await db()("rate_limits").whereLike("key", "sign-in-pair:%").update({ points: 5 });
      await guess();
    });
  });

  it("names no path, code, id, serial number or secret, whatever is asked for", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const asked = request(target);
    await redeem(secret, asked);
    const words = Array.from({ length: 10 }, () => `canary-${randomUUID()}`);
    for (const word of words) {
      await server.send(`/${word}`);
      await server.send(`/app/machines/${word}`);
      await server.send(`/api/${word}`);
      await server.send(`/login?_data=${word}`);
      await server.send("/login", { headers: { Host: word } });
    }
    const { body } = await scrape();
    for (const text of ["canary", target.code, target.serialNumber, asked.redemptionId, secret])
      expect(body).not.toContain(text);
    expect(body).not.toContain(token);

    const known = new Set([
      ...Object.keys(accessMatrix),
      "asset",
      "redemption",
      "rollback",
      "health",
      "metrics",
      "other",
    ]);
    const routes = [...body.matchAll(/route="([^"]*)"/g)].map(([, route]) => route!);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
  });
});
