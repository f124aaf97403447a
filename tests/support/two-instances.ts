/** Redemptions over HTTP on two instances at once. */
import { Agent, request as ask } from "node:http";
import { afterAll, afterEach, beforeAll } from "vitest";
import { db } from "../../app/db/connection.server";
import { type RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import { makeKey } from "../factories/redemptions";
import { useInstances } from "./app";
import { assertInvariants } from "./invariants";

type Key = Awaited<ReturnType<typeof makeKey>>;
export type Sent = { status: number; body: string };

/** Runs so many at once. */
export const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Starts two instances and makes a key of an admin; after each test the books have to be right. */
export function useTwoInstances() {
  const instances = useInstances([{}, {}]);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const key = {} as Key & { actor: Key["actor"] & { role: "admin" } };

  beforeAll(async () => {
    const made = await makeKey();
    Object.assign(key, { ...made, actor: { ...made.actor, role: "admin" } });
  });
  afterEach(assertInvariants);
  afterAll(() => agent.destroy());

  /** Instances take turns. Sent again as long as the answer is that nobody knows, or the idle connection was just closed. */
  let turn = 0;
  async function post(path: string, body = ""): Promise<Sent> {
    for (;;) {
      const { hostname, port } = new URL(instances[turn++ % 2]!.origin);
      const answer = await new Promise<Sent>((resolve, reject) => {
        const outgoing = ask(
          {
            hostname,
            port,
            path,
            agent,
            method: "POST",
            headers: { Authorization: `Bearer ${key.secret}`, "Content-Type": "application/json" },
          },
          (incoming) => {
            let text = "";
            incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
            incoming.once("end", () => resolve({ status: incoming.statusCode!, body: text }));
          },
        );
        outgoing.once("error", (error) =>
          outgoing.reusedSocket ? resolve({ status: 503, body: "" }) : reject(error),
        );
        outgoing.end(body);
      });
      if (answer.status !== 503) return answer;
    }
  }

  return {
    key,
    output: () => instances.map(({ output }) => output()).join(""),
    redeemOverHttp: (sent: RedemptionRequest) => post("/api/redemptions", JSON.stringify(sent)),
    rollBackOverHttp: (id: string) => post(`/api/redemptions/${id}/rollback`),
  };
}

export async function counters(id: string) {
  const row = await db()("promotions").where({ id }).first("activation_count", "period_uses");
  return row as { activation_count: number; period_uses: number };
}
