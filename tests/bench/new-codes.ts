import pg from "pg";
import { median, secondsOf, type Row } from "./row";
import { signIn, startServer } from "./server";

/** Addresses of the API, and of lists of the screens, whose data alone is read. */
const lists: Record<string, string> = {
  "API: all, with their total": "/api/promotions",
  "API: expired": "/api/promotions?is_expired=true",
  "API: expired, without a total": "/api/promotions?is_expired=true&count=none",
  "API: a common text": "/api/promotions?text=com",
  "API: a common text, without a total": "/api/promotions?text=com&count=none",
  "API: active": "/api/promotions?status=active",
  "API: expired by status": "/api/promotions?status=expired",
  "QR List": screen("/app/qr-list"),
  ...Object.fromEntries(
    ["active", "inactive", "expired", "used_up", "not_assigned", "scheduled", "deleted"].map(
      (status) => [`QR List: ${status}`, screen(`/app/qr-list?status=${status}`)],
    ),
  ),
  "QR List: running now": screen("/app/qr-list?running=true"),
  "QR List: a start": screen("/app/qr-list?starts_after=01/01/2020"),
  "QR List: a common text": screen("/app/qr-list?text=com"),
  "QR List: a rare text": screen("/app/qr-list?text=Complaint+4718"),
  "QR List: a machine": screen("/app/qr-list?serial_number=VM-10431"),
  "QR List: used": screen("/app/qr-list?use=used"),
  "QR List: unused": screen("/app/qr-list?use=unused"),
  "QR List: ending within 30 days": screen("/app/qr-list?expires=30d"),
  "QR List: the first to end first": screen("/app/qr-list?sort=expiration"),
  "QR List: by name": screen("/app/qr-list?sort=name"),
  "QR List: campaigns": screen("/app/qr-list?view=campaigns"),
  Transactions: screen("/app/transactions"),
  "Refused attempts": screen("/app/transactions/refused"),
  Machines: screen("/app/machines"),
  "Audit log": screen("/app/audit"),
  "Machine groups": screen("/app/machine-groups"),
};

function screen(address: string): string {
  const { pathname, search } = new URL(address, "http://localhost");
  const [room, list, part] = pathname.slice(1).split("/");
  const route = `routes/${room}.${list}${part ? `_.${part}` : ""}`;
  return `${pathname}${search || "?"}&_data=${encodeURIComponent(route)}`.replace("?&", "?");
}

/** Hours on one day that is neither today nor a neighbour of it, in any zone. */
function closedToday() {
  const day = ((new Date().getUTCDay() + 3) % 7) + 1;
  return { hours: [{ days: [day], from: "08:00", to: "18:00" }], except: [] };
}

const pages = {
  first: "/api/promotions?count=none",
  "200th": "/api/promotions?count=none&page=200",
};

type Times = Record<string, number>;

let measured: Promise<{ before: Times; atOnce: Times; later: Times }> | undefined;

/** Measures lists with sample data, after 1,000,000 codes were made, and once the tables have been analyzed again. */
async function measure() {
  const server = await startServer({ environment: { SAMPLE_DATA: "1" } });
  const database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
  try {
    const session = await signIn(server.origin);
    const open = async (address: string) => {
      const headers = address.startsWith("/api") ? server.headers : session;
      const answer = await fetch(`${server.origin}${address}`, { headers });
      const body = await answer.text();
      if (answer.status !== 200)
        throw new Error(`${address}: ${answer.status} ${body.slice(0, 200)}`);
    };
    const timesOf = async () => {
      const times: Times = {};
      for (const address of [...Object.values(lists), ...Object.values(pages)]) {
        for (let warmUp = 0; warmUp < 5; warmUp++) await open(address);
        const rounds: number[] = [];
        for (let round = 0; round < 15; round++) rounds.push(await secondsOf(() => open(address)));
        times[address] = median(rounds) * 1_000;
      }
      return times;
    };
    const before = await timesOf();
    for (let number = 1; number <= 10; number++) {
      const answer = await fetch(`${server.origin}/api/generate_codes`, {
        method: "POST",
        headers: server.headers,
        body: JSON.stringify({
          name: `Common ${number}`,
          num_codes: 100_000,
          discount_type: "percentage",
          discount_value: 10,
          is_single_use: true,
          ...(number % 2 === 0 ? { schedule: closedToday() } : {}),
        }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.body!.cancel();
    }
    const atOnce = await timesOf();
    await database.query("vacuum analyze");
    return { before, atOnce, later: await timesOf() };
  } finally {
    await database.end();
    await server.stop();
  }
}

const times = () => (measured ??= measure());

export const newCodeRows: Row[] = [
  ...Object.entries(lists).map(([name, address]): Row => ({
    name: `After 1,000,000 new codes: ${name}, time against the same list of sample data`,
    async measure() {
      const { before, atOnce, later } = await times();
      const [least, first, then] = [before, atOnce, later].map((all) => all[address]!) as [
        number,
        number,
        number,
      ];
      const ratio = Math.max(first, then) / least;
      const detail = `${least.toFixed(1)} ms before, ${first.toFixed(1)} at once, ${then.toFixed(1)} later`;
      return { ratio, ceiling: 3, detail };
    },
  })),
  {
    name: "After 1,000,000 new codes: API, page 200, time against the first page",
    async measure() {
      const { later } = await times();
      const [deep, first] = [later[pages["200th"]]!, later[pages.first]!];
      return {
        ratio: deep / first,
        ceiling: 2,
        detail: `${deep.toFixed(1)} ms against ${first.toFixed(1)} ms`,
      };
    },
  },
];
