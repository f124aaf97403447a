import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { Agent, get, request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { ZipArchive } from "archiver";
import knex from "knex";
import type pg from "pg";
import { toBuffer } from "qrcode";
import { generateCodes } from "../../app/features/promotions/code";
import { median, secondsOf, type Figure, type Row, type Skipped } from "./row";
import { signIn, startServer, type BenchServer } from "./server";
import { withClient } from "../support/run-sql";

const run = promisify(execFile);

/** An address of 36 characters. */
const template = "https://promo.example/r/{code}";
const machines = ["VM-1", "VM-2", "VM-3"];

/** A server that has made something already, with machines to assign to. */
async function onServer<Result>(
  options: { environment?: Record<string, string>; nodeOptions?: string[] },
  measure: (server: BenchServer) => Promise<Result>,
): Promise<Result> {
  const environment = { QR_PAYLOAD: template, ...options.environment };
  const server = await startServer({ ...options, environment });
  try {
    await withClient(server.databaseUrl, (database) =>
      database.query(
        "insert into machines (serial_number, human_name) select unnest($1::text[]), 'Lobby'",
        [machines],
      ),
    );
    // The first requests compile what the later ones run.
    for (const count of [100, 5_000, 5_000]) await readAll(await generate(server, count));
    return await measure(server);
  } finally {
    await server.stop();
  }
}

const addressOf = ({ origin }: BenchServer) => `${origin}/api/generate_codes`;

const orderOf = (count: number) =>
  JSON.stringify({
    name: "Summer",
    num_codes: count,
    discount_type: "percentage",
    discount_value: 25,
    is_single_use: true,
    machines: machines.map((serialNumber) => ({ serialNumber })),
  });

async function generate(server: BenchServer, count: number): Promise<IncomingMessage> {
  const { headers } = server;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(addressOf(server), { method: "POST", headers, agent: false }, resolve)
      .once("error", reject)
      .end(orderOf(count));
  });
  if (answer.statusCode !== 200) throw new Error(`Answered ${answer.statusCode}`);
  return answer;
}

/** @param bytesPerSecond as fast as it comes otherwise */
async function readAll(answer: IncomingMessage, bytesPerSecond = Infinity): Promise<void> {
  const start = performance.now();
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    const early = (bytes / bytesPerSecond) * 1_000 - (performance.now() - start);
    if (early > 5) await pause(early);
  }
  if (bytes !== Number(answer.headers["content-length"]))
    throw new Error(`${bytes} bytes of ${answer.headers["content-length"]} came`);
}

async function generateAndReadElsewhere(server: BenchServer, count: number): Promise<void> {
  const reader = path.resolve(import.meta.dirname, "reader.js");
  const headers = JSON.stringify(server.headers);
  await run(process.execPath, [reader, addressOf(server), headers, orderOf(count)]);
}

const generateAndRead = (server: BenchServer, count: number) => async () =>
  readAll(await generate(server, count));

/** The same rows as a generation, by SQL and nothing else. The codes are there already. */
async function insertBare(database: pg.Client, codes: string[]): Promise<void> {
  await database.query("begin");
  const { rows } = await database.query<{ id: string; set_id: string }>(
    `insert into mass_generations (name, num_codes, discount_type, discount_value, is_single_use,
       is_renewable)
     values ('Summer', $1, 'percentage', 25, true, false) returning id, set_id`,
    [codes.length],
  );
  const { id, set_id: setId } = rows[0]!;
  await database.query(
    `insert into assignments (set_id, machine_id)
     select $1, id from machines where serial_number = any($2)`,
    [setId, machines],
  );
  await database.query("update assignment_sets set is_assigned = true where id = $1", [setId]);
  await database.query(
    `insert into promotions (code, mass_generation_id, name, discount_type, discount_value,
       is_single_use, is_renewable, max_uses, set_id)
     select unnest($1::text[]), $2, 'Summer', 'percentage', 25, true, false, 1, $3`,
    [codes, id, setId],
  );
  await database.query("commit");
}

/** Implementation without optimisation: batchInsert, toBuffer, archiver. */
async function generateUnoptimised({ databaseUrl }: BenchServer, count: number): Promise<void> {
  const database = knex({ client: "pg", connection: { connectionString: databaseUrl } });
  const codes = generateCodes(count, randomBytes);
  const shared = {
    name: "Summer",
    discount_type: "percentage",
    discount_value: 25,
    is_single_use: true,
    is_renewable: false,
    max_uses: 1,
  };
  await database.transaction(async (trx) => {
    const created: { set_id: string }[] = await trx
      .batchInsert<Record<string, unknown>>(
        "promotions",
        codes.map((code) => ({ ...shared, code })),
        1_000,
      )
      .returning("set_id");
    const ids = await trx("machines").whereIn("serial_number", machines).pluck<string[]>("id");
    await trx.batchInsert(
      "assignments",
      created.flatMap(({ set_id }) => ids.map((machine) => ({ set_id, machine_id: machine }))),
      1_000,
    );
  });
  await database.destroy();
  const archive = new ZipArchive({ store: false });
  archive.resume();
  const ended = once(archive, "end");
  for (const code of codes) {
    const image = await toBuffer(template.replace("{code}", code), { scale: 8 });
    archive.append(image, { name: `${code}.png`, date: new Date() });
  }
  await archive.finalize();
  await ended;
}

/** Light requests, one after another, for as long as the work takes: the ms that each waited. */
async function lightRequestsDuring(
  { origin, headers }: BenchServer,
  work: () => Promise<void>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const waits: number[] = [];
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  while (!isDone) {
    const start = performance.now();
    const [answer] = (await once(
      get(`${origin}/api/machines-list`, { agent, headers }),
      "response",
    )) as [IncomingMessage];
    await answer.resume().toArray();
    waits.push(performance.now() - start);
    await pause(10);
  }
  agent.destroy();
  await working;
  return waits;
}

function measuredOnce<Result>(measure: () => Promise<Result>): () => Promise<Result> {
  let measured: Promise<Result> | undefined;
  return () => (measured ??= measure());
}

const againstBareInsert: Row = {
  name: "100,000 codes with 3 machines, POST to last byte: time against the bare SQL insert",
  measure: () =>
    onServer({}, (server) =>
      withClient(server.databaseUrl, async (database) => {
        const [ours, bare]: [number[], number[]] = [[], []];
        for (let round = 0; round < 6; round++) {
          const codes = generateCodes(100_000, randomBytes);
          const turns = [
            async () => bare.push(await secondsOf(() => insertBare(database, codes))),
            async () => ours.push(await secondsOf(generateAndRead(server, 100_000))),
          ];
          // The table grows from turn to turn: neither always has the smaller one.
          for (const turn of round % 2 ? turns.reverse() : turns) await turn();
        }
        return {
          ratio: median(ours) / median(bare),
          ceiling: 1.4,
          detail: `${median(ours).toFixed(2)} s against ${median(bare).toFixed(2)} s`,
        };
      }),
    ),
};

const againstUnoptimised: Row = {
  name: "2,000 codes with 3 machines: codes/s against batchInsert, qrcode.toBuffer and archiver",
  measure: () =>
    onServer({}, async (server) => {
      const [ours, unoptimised]: [number[], number[]] = [[], []];
      for (let round = 0; round < 3; round++) {
        unoptimised.push(await secondsOf(() => generateUnoptimised(server, 2_000)));
        for (let again = 0; again < 5; again++)
          ours.push(await secondsOf(generateAndRead(server, 2_000)));
      }
      return {
        ratio: median(unoptimised) / median(ours),
        floor: 80,
        detail: `${Math.round(2_000 / median(ours))}/s against ${Math.round(2_000 / median(unoptimised))}/s`,
      };
    }),
};

const listAfterwards: Row = {
  name: "The QR List right after 100,000 codes: time against before",
  measure: () =>
    onServer({}, async (server) => {
      const { Cookie: cookie } = await signIn(server.origin);
      const listMs = async (): Promise<number> => {
        const times: number[] = [];
        for (let round = 0; round < 20; round++)
          times.push(
            await secondsOf(async () => {
              const answer = await fetch(`${server.origin}/app/qr-list`, {
                headers: { Cookie: cookie },
              });
              if (answer.status !== 200) throw new Error(`Answered ${answer.status}`);
              await answer.arrayBuffer();
            }),
          );
        return median(times) * 1_000;
      };
      const before = await listMs();
      await generateAndRead(server, 100_000)();
      const after = await listMs();
      const detail = `${after.toFixed(1)} ms against ${before.toFixed(1)} ms`;
      return { ratio: after / before, ceiling: 4, detail };
    }),
};

const firstByte: Row = {
  name: "10,000 codes: first byte, s",
  measure: () =>
    onServer({}, async (server) => {
      const waits: number[] = [];
      for (let round = 0; round < 5; round++) {
        const start = performance.now();
        const answer = await generate(server, 10_000);
        waits.push((performance.now() - start) / 1_000);
        await readAll(answer);
      }
      const detail = `${waits.map((wait) => wait.toFixed(2)).join(", ")} s`;
      return { ratio: median(waits), ceiling: 1, detail };
    }),
};

function percentile99(waits: number[]): number {
  const sorted = waits.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)]!;
}

const meanwhile = measuredOnce(() =>
  onServer({}, async (server) => {
    await lightRequestsDuring(server, () => pause(2_000));
    const idle = percentile99(await lightRequestsDuring(server, () => pause(4_000)));
    const rounds: { p99: number; max: number; light: number }[] = [];
    for (let round = 0; round < 5; round++) {
      await server.eventLoopDelay();
      const waits = await lightRequestsDuring(server, () =>
        generateAndReadElsewhere(server, 100_000),
      );
      rounds.push({ ...(await server.eventLoopDelay()), light: percentile99(waits) });
    }
    const told = rounds.map(({ p99, max, light }) =>
      [p99, max, light].map((wait) => wait.toFixed(1)).join("/"),
    );
    return {
      p99: median(rounds.map(({ p99 }) => p99)),
      max: median(rounds.map(({ max }) => max)),
      light: median(rounds.map(({ light }) => light)) / idle,
      detail: `event loop p99/longest/light request p99: ${told.join(", ")} ms; idle light request p99 ${idle.toFixed(1)} ms`,
    };
  }),
);

function meanwhileRow(name: "p99" | "max" | "light", words: string, ceiling: number): Row {
  return {
    name: `During 100,000 codes: ${words}`,
    async measure() {
      const measured = await meanwhile();
      return { ratio: measured[name], ceiling, detail: measured.detail };
    },
  };
}

/** Peaks over idle in MB, of generations that are read at 4 MB/s. */
const memory = measuredOnce(() =>
  onServer({ nodeOptions: ["--max-old-space-size=128"] }, async (server) => {
    const idle = server.memory();
    const peakOf = async (count: number) => {
      server.peakMemory();
      await readAll(await generate(server, count), 4e6);
      return server.peakMemory() - idle;
    };
    const [small, large] = [await peakOf(20_000), await peakOf(100_000)];
    const detail = `idle ${idle.toFixed(0)}, 20,000 codes +${small.toFixed(0)}, 100,000 +${large.toFixed(0)} MB, heap of 128 MB`;
    return { small, large, detail };
  }),
);

const memoryRows: Row[] = [
  {
    name: "100,000 codes read at 4 MB/s: memory over idle, MB",
    async measure() {
      const { large, detail } = await memory();
      return { ratio: large, ceiling: 80, detail };
    },
  },
  {
    name: "100,000 codes read at 4 MB/s: memory over that of 20,000, MB",
    async measure() {
      const { small, large, detail } = await memory();
      return { ratio: large - small, ceiling: 50, detail };
    },
  },
  {
    name: "A million codes: memory over idle, MB",
    measure: () =>
      onServer({ environment: { MAX_CODES: "1000000" } }, async (server) => {
        const idle = server.memory();
        server.peakMemory();
        const seconds = await secondsOf(generateAndRead(server, 1_000_000));
        return {
          ratio: server.peakMemory() - idle,
          ceiling: 256,
          detail: `in ${seconds.toFixed(1)} s, idle ${idle.toFixed(0)} MB`,
        };
      }),
  },
];

/** @param read reads every byte, so that a wrong checksum is an error, and prints the names */
function opensWith(program: string, read: (file: string) => string[]): Row {
  return {
    name: `100,000 codes: share of the entries that ${program} finds`,
    async measure(): Promise<Figure | Skipped> {
      if (!(await run(program, ["--help"]).catch(() => null)))
        return { skipped: `${program} is not installed` };
      const folder = mkdtempSync(path.join(tmpdir(), "promo-console-bench-"));
      const file = path.join(folder, "archive.zip");
      try {
        await onServer({}, async (server) =>
          pipeline(await generate(server, 100_000), createWriteStream(file)),
        );
        const { stdout, stderr } = await run(program, read(file), { maxBuffer: 64e6 });
        const found = `${stdout}${stderr}`.match(/[2-9A-Z]{12}\.png|codes\.csv/g)?.length ?? 0;
        return { ratio: found / 100_001, floor: 1, detail: `${found} entries` };
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

export const massGenerationRows: Row[] = [
  againstBareInsert,
  againstUnoptimised,
  firstByte,
  listAfterwards,
  meanwhileRow("p99", "event loop delay, p99, ms", 25),
  meanwhileRow("max", "event loop delay, longest, ms", 100),
  meanwhileRow("light", "a light request, p99 against an idle server's", 8),
  ...memoryRows,
  opensWith("unzip", (file) => ["-t", file]),
  opensWith("bsdtar", (file) => ["-xvOf", file]),
];
