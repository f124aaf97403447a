/** Loads beside which machines of another integration go on redeeming, on the same processors. */
import { randomUUID } from "node:crypto";
import { Agent, request, type RequestOptions } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { insertKeyAndMachines } from "../support/ledger";
import type { Row } from "./row";
import { admin, signIn, startServer, type BenchServer } from "./server";

const serials = ["VM-1", "VM-2", "VM-3", "VM-4"];
const code = "FD2345678922";
const maxP95Ms = 150;
const maxGrowthMb = 150;
const warmUpMs = 3_000;

type Target = {
  server: BenchServer;
  client: pg.Client;
  /** A key of another integration than that of the machines. */
  otherKey: string;
  isOver: () => boolean;
};

type Flood = {
  name: string;
  environment?: Record<string, string>;
  prepare?(target: Target): Promise<void>;
  run(target: Target): Promise<void>;
};

/** Sends a request, reads its answer to the end, and returns its status; 0 if there was none. */
function send(
  { origin }: Pick<BenchServer, "origin">,
  path: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(origin + path, options, (incoming) => {
      incoming.resume();
      incoming.once("close", () => resolve(incoming.statusCode!));
    });
    outgoing.once("error", () => resolve(0));
    outgoing.end(body);
  });
}

/** Runs a task so many times beside each other, again and again until the flood is over. */
async function repeat(
  { isOver }: Target,
  count: number,
  task: (worker: number, round: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, worker) => {
      for (let round = 0; !isOver(); round++) await task(worker, round);
    }),
  );
}

const fromAddress = (number: number) => ({
  "X-Forwarded-For": `10.9.${number >> 8}.${number & 255}`,
});
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const behindProxy = { TRUST_PROXY: "1" };

/** Redeems over so many connections by a key, of which it gets its share. */
const redeemBy = (target: Target, key: string, count: number) =>
  repeat(target, count, (worker) =>
    send(target.server, "/api/redemptions", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        code: worker % 2 ? code : "ZZZZZZZZZZZZ",
        serialNumber: serials[0],
        originalPrice: 250,
        redemptionId: randomUUID(),
      }),
    }),
  );

export const floods: Flood[] = [
  {
    name: "45 readers of the API's page from each of 3 addresses",
    environment: behindProxy,
    run: (target) =>
      repeat(target, 135, (worker) =>
        send(target.server, "/api/docs", { headers: fromAddress(worker % 3) }),
      ),
  },
  {
    name: "40 sign-ups at once",
    environment: { ...behindProxy, ALLOW_SIGNUP: "1" },
    run: (target) =>
      repeat(target, 40, (worker, round) =>
        send(target.server, "/signup", {
          method: "POST",
          headers: { ...form, Origin: target.server.origin, ...fromAddress(worker + round * 40) },
          body: new URLSearchParams({
            email: `flood-${worker}-${round}@example.com`,
            firstName: "Ada",
            lastName: "",
            newPassword: "qwertz ".repeat(10),
            confirmPassword: "qwertz ".repeat(10),
          }).toString(),
        }),
      ),
  },
  {
    name: "20 password forms at once",
    environment: behindProxy,
    async run(target) {
      const session = await signIn(target.server.origin);
      await repeat(target, 20, (worker) =>
        send(target.server, "/app/user/edit/password", {
          method: "POST",
          headers: { ...form, ...session, Origin: target.server.origin, ...fromAddress(worker) },
          body: new URLSearchParams({
            currentPassword: admin.password,
            newPassword: "passwordpassword",
            confirmPassword: "passwordpassword",
          }).toString(),
        }),
      );
    },
  },
  {
    name: "250 connections of another key, with a hot and an unknown code",
    run: (target) => redeemBy(target, target.otherKey, 250),
  },
  {
    name: "600 idle connections from 6 addresses",
    async run({ server, isOver }) {
      const { port } = new URL(server.origin);
      const sockets = new Set<Socket>();
      const open = (number: number) => {
        const localAddress = `127.0.0.${2 + (number % 6)}`;
        const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress });
        sockets.add(socket);
        socket.on("error", () => {}).resume();
        socket.once("close", () => {
          sockets.delete(socket);
          if (!isOver()) setTimeout(() => open(number), 50).unref();
        });
      };
      for (let number = 0; number < 600; number++) open(number);
      while (!isOver()) await delay(100);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: "20 uploads of strangers",
    environment: behindProxy,
    run: (target) => {
      const body = Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n${"x".repeat(2_200_000)}\r\n--b--\r\n`,
      );
      return repeat(target, 20, (worker) =>
        send(target.server, "/app/user/edit/profile", {
          method: "POST",
          headers: {
            "Content-Type": "multipart/form-data; boundary=b",
            Origin: target.server.origin,
            "Content-Length": body.length,
            ...fromAddress(worker),
          },
          body,
        }),
      );
    },
  },
  {
    name: "10 exports of 200,000 rows by one person",
    environment: behindProxy,
    async prepare({ client }) {
      await client.query(
        `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable, max_uses)
         select translate(lpad(n::text, 12, '0'), '01', 'XY'), 'Flood', 'percentage', 10, true, false, 1
         from generate_series(1, 200000) n`,
      );
      await client.query("analyze promotions");
    },
    async run(target) {
      const session = await signIn(target.server.origin);
      await repeat(target, 10, async (worker) => {
        const headers = { ...session, ...fromAddress(worker) };
        const status = await send(target.server, "/app/qr-list/export.csv", { headers });
        // A person who is told to wait does so.
        if (status === 429) await delay(500);
      });
    },
  },
  {
    name: "600 report pages with filters of 1,000 groups with long names",
    environment: behindProxy,
    async prepare({ client }) {
      await client.query(
        "insert into machine_groups (name) select n || repeat(' group', 30) from generate_series(1, 1000) n",
      );
    },
    async run(target) {
      const session = await signIn(target.server.origin);
      const { rows } = await target.client.query<{ id: string }>("select id from machine_groups");
      await repeat(target, 6, (worker, round) => {
        const group = rows[(round * 6 + worker) % 600]!.id;
        const path = `/app/reports?by=group&period=${round % 2 ? "30d" : "7d"}&group=${group}`;
        return send(target.server, path, { headers: { ...session, ...fromAddress(worker) } });
      });
    },
  },
];

type FloodResult = { p95Ms: number; growthMb: number; statuses: number[]; count: number };

/** Redeems at 4 machines, one request after another over a connection each, while the flood runs. */
export async function measureFlood(flood: Flood, seconds: number): Promise<FloodResult> {
  const server = await startServer({ environment: flood.environment ?? {} });
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    const key = await insertKeyAndMachines(client, serials);
    const otherKey = await insertKeyAndMachines(client, ["VM-5"]);
    await client.query(
      `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable, max_uses)
       values ($1, 'Flood', 'percentage', 25, false, false, null)`,
      [code],
    );
    await client.query(
      "insert into assignments (set_id, machine_id) select p.set_id, m.id from promotions p, machines m",
    );
    await client.query("update assignment_sets set is_assigned = true");
    let end = Infinity;
    const target: Target = { server, client, otherKey, isOver: () => performance.now() >= end };
    await flood.prepare?.(target);
    const redeem = (serialNumber: string, agent: Agent) =>
      send(server, "/api/redemptions", {
        agent,
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({
          code,
          serialNumber,
          originalPrice: 250,
          redemptionId: randomUUID(),
        }),
      });
    // Growth is counted from a process that is busy with pages and machines, not from an idle one.
    await redeem(serials[0]!, new Agent());
    end = performance.now() + warmUpMs;
    await repeat(target, 40, () => send(server, "/login"));
    const before = server.memory();
    const durations: number[] = [];
    const statuses = new Set<number>();
    end = performance.now() + seconds * 1_000;
    const machines = serials.map(async (serial) => {
      while (!target.isOver()) {
        // Machines connect anew for each customer.
        const agent = new Agent();
        const start = performance.now();
        statuses.add(await redeem(serial, agent));
        durations.push(performance.now() - start);
        agent.destroy();
        await delay(10);
      }
    });
    const running = flood.run(target);
    await Promise.all(machines);
    const growthMb = server.memory() - before;
    await running;
    durations.sort((one, other) => one - other);
    const p95Ms = durations[Math.ceil(durations.length * 0.95) - 1] ?? Infinity;
    return { p95Ms, growthMb, statuses: [...statuses], count: durations.length };
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Tells what does not hold: every redemption accepted, soon, with little memory. */
export function floodFailures({ p95Ms, growthMb, statuses }: FloodResult): string[] {
  return [
    ...(statuses.some((status) => status !== 201) ? [`answers ${statuses.join(", ")}`] : []),
    ...(p95Ms > maxP95Ms ? [`p95 ${p95Ms.toFixed(0)} ms`] : []),
    ...(growthMb > maxGrowthMb ? [`+${growthMb.toFixed(0)} MB`] : []),
  ];
}

/** One short round of each; `npm run soak` has long ones. */
export const floodRows: Row[] = floods.map((flood) => ({
  name: `Flood: p95 of a redemption in units of ${maxP95Ms} ms beside ${flood.name}`,
  async measure() {
    const result = await measureFlood(flood, 5);
    const failures = floodFailures(result);
    const { p95Ms, growthMb, statuses, count } = result;
    const detail = `${count} redemptions, p95 ${p95Ms.toFixed(0)} ms, ${growthMb.toFixed(0)} MB more, answers ${statuses.join(", ")}`;
    return {
      ratio: failures.length > 0 ? Math.max(p95Ms / maxP95Ms, 1.01) : p95Ms / maxP95Ms,
      ceiling: 1,
      detail,
    };
  },
}));
