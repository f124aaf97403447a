import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { freePort } from "../support/free-port";
import { killProcess, type Service, type Services } from "./services";
import { runSql } from "../support/run-sql";

const password = "of-the-trial";
const database = "promo_console";

type Member = { name: string; role: string; state: string; timeline?: number };
type Node = { name: string; service: Service; port: number; apiPort: number };

/**
 * Starts etcd, three PostgreSQL under Patroni, HAProxy that finds the primary, and PgBouncer before it, and makes an empty
 * database.
 */
export async function startDatabase(services: Services) {
  const etcdPort = await startEtcd(services);
  const nodes: Node[] = [];
  for (const name of ["one", "two", "three"])
    nodes.push(await defineNode(services, name, etcdPort));
  const { proxy, port: proxyPort } = await defineProxy(services, nodes);
  const { pooler, port: poolerPort } = await definePooler(services, proxyPort);
  const urlAt = (port: number) =>
    `postgresql://${database}:${password}@127.0.0.1:${port}/${database}`;
  const cluster = {
    proxy,
    pooler,
    /** Through PgBouncer, in transaction mode. */
    url: urlAt(poolerPort),
    /** Through HAProxy alone. */
    directUrl: urlAt(proxyPort),
    primary: () => findMember(nodes, "leader"),
    synchronousStandby: () => findMember(nodes, "sync_standby"),
    /** Waits until all three nodes follow one primary, one of them synchronously. */
    whole: () => vi.waitFor(() => assertWhole(nodes), { timeout: 120_000, interval: 250 }),
    /** Waits until another node than this one is the primary. */
    failedOver: (former: Node) =>
      vi.waitFor(
        async () => {
          const { name } = await findMember(nodes, "leader", former);
          if (name === former.name) throw new Error(`${name} is still the primary`);
        },
        { timeout: 60_000, interval: 250 },
      ),
  };
  // The first one makes the cluster, and the others copy it.
  for (const { service } of nodes) service.start();
  proxy.start();
  pooler.start();
  await cluster.whole();
  await createDatabase(proxyPort);
  return cluster;
}

export type DatabaseCluster = Awaited<ReturnType<typeof startDatabase>>;

/** Kills the postmaster of a node, and nothing else of it. */
export function killPostmaster({ service }: Node): void {
  const [pid] = readFileSync(path.join(service.folder, "data/postmaster.pid"), "utf8").split("\n");
  killProcess(Number(pid));
}

async function startEtcd(services: Services): Promise<number> {
  const port = await freePort();
  const file = services.configure("etcd", "etcd.yml", { PORT: port, PEER_PORT: await freePort() });
  services.define({ name: "etcd", command: ["etcd", "--config-file", file] }).start();
  return port;
}

async function defineNode(services: Services, name: string, etcdPort: number): Promise<Node> {
  const port = await freePort();
  const apiPort = await freePort();
  const file = services.configure(name, "patroni.yml", {
    PORT: port,
    API_PORT: apiPort,
    ETCD_PORT: etcdPort,
    PASSWORD: password,
    BIN_FOLDER: programsOfPostgres(),
  });
  const command: [string, string] = ["patroni", file];
  const service = services.define({ name, command, isUnprivileged: true });
  return { name, port, apiPort, service };
}

/** Returns the folder in which Debian has the programs of its newest PostgreSQL. */
function programsOfPostgres(): string {
  const versions = readdirSync("/usr/lib/postgresql").map(Number);
  return `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
}

async function defineProxy(services: Services, nodes: Node[]) {
  const port = await freePort();
  const ports = nodes.flatMap(({ name, port, apiPort }) => [
    [`${name.toUpperCase()}_PORT`, port],
    [`${name.toUpperCase()}_API_PORT`, apiPort],
  ]);
  const variables = { PORT: port, ...(Object.fromEntries(ports) as Record<string, number>) };
  const file = services.configure("database-proxy", "haproxy-database.cfg", variables);
  const command: [string, ...string[]] = ["haproxy", "-db", "-f", file];
  return { port, proxy: services.define({ name: "database-proxy", command }) };
}

async function definePooler(services: Services, databasePort: number) {
  const port = await freePort();
  const variables = { PORT: port, DATABASE_PORT: databasePort };
  const file = services.configure("pooler", "pgbouncer.ini", variables);
  services.write("pooler", "users", `"${database}" "${password}"\n`);
  const command: [string, string] = ["pgbouncer", file];
  return { port, pooler: services.define({ name: "pooler", command, isUnprivileged: true }) };
}

/** Asks the nodes what they know of each other; the first that answers tells. */
async function readMembers(nodes: Node[]): Promise<Member[]> {
  for (const { apiPort } of nodes) {
    const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => null);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  throw new Error("No node answers");
}

/** @param except a node that is not asked, as it may not know yet that it was replaced */
async function findMember(nodes: Node[], role: string, except?: Node): Promise<Node> {
  const members = await readMembers(nodes.filter((node) => node !== except));
  const member = members.find((one) => one.role === role);
  const node = nodes.find(({ name }) => name === member?.name);
  if (!node) throw new Error(`No node is the ${role}`);
  return node;
}

async function assertWhole(nodes: Node[]): Promise<void> {
  const members = await readMembers(nodes);
  const roles = members.map(({ role }) => role).sort();
  const timelines = new Set(members.map(({ timeline }) => timeline));
  const isWhole =
    roles.join() === "leader,replica,sync_standby" &&
    timelines.size === 1 &&
    members.every(({ state }) => /^(running|streaming)$/.test(state));
  if (!isWhole) throw new Error(`The database is not whole: ${JSON.stringify(members)}`);
}

async function createDatabase(proxyPort: number): Promise<void> {
  const url = `postgresql://postgres:${password}@127.0.0.1:${proxyPort}/postgres`;
  await runSql(url, `create role ${database} login password '${password}'`);
  await runSql(url, `create database ${database} owner ${database}`);
}
