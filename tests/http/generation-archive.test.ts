import { createHash } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { archiveSize } from "../../app/features/mass-generations/generation-archive.server";
import { assignmentsOf } from "../factories/assignments";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { decodeQr } from "../support/decode-qr";
import { readCsv } from "../support/read-csv";
import { readZip } from "../support/read-zip";
import { repetitions } from "../support/repetitions";
import { issueTokenOf, openSessionOf, useServer } from "../support/server";
import { property } from "../support/property";
import { rowById } from "../factories/rows";

const server = useServer();
let token = "";
let cookie = "";
/** A generation whose codes are read in several pages, with its archive. */
let id = "";
let whole: Buffer;
let etag = "";

beforeAll(async () => {
  token = await issueTokenOf();
  cookie = await openSessionOf();
  ({ id, archive: whole } = await newGeneration({ num_codes: repetitions(10_200, 66_000) }));
  etag = (await download(id, {}, "HEAD")).headers.get("etag")!;
});

const sent = {
  name: "Summer",
  num_codes: 30,
  discount_type: "percentage",
  discount_value: 25,
  is_single_use: true,
  is_renewable: false,
  expiration_date: null,
  machines: [] as unknown[],
};

type Values = Partial<Record<keyof typeof sent, unknown>>;

function generate(
  values: Values = {},
  headers: Record<string, string> = {},
  search = "",
): Promise<Response> {
  return fetch(`${server.origin}/api/generate_codes${search}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...sent, ...values }),
  });
}

function download(id: string, headers: Record<string, string> = {}, method = "GET") {
  return fetch(`${server.origin}/api/download_archive/${id}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

/** @returns the id of a generation that was just made */
async function idOf(answer: Response): Promise<string> {
  expect(answer.status, answer.status === 200 ? "" : await answer.text()).toBe(200);
  const path = /^\/api\/download_archive\/(\d+)$/.exec(
    answer.headers.get("content-location") ?? "",
  );
  return path![1]!;
}

async function newGeneration(values: Values = {}): Promise<{ id: string; archive: Buffer }> {
  const answer = await generate(values);
  return { id: await idOf(answer), archive: await bytesOf(answer) };
}

async function codesInDatabase(id: string): Promise<string[]> {
  return db()("promotions").where({ mass_generation_id: id }).orderBy("id").pluck<string[]>("code");
}

describe("POST /api/generate_codes", () => {
  it("generates, and answers with one QR image a code and the list of codes", async () => {
    const [plain, named] = [await insertMachine(), await insertMachine()];
    const name = '=1+1, "Sommer" 🍹';
    const answer = await generate({
      name,
      expiration_date: "2099-12-31T23:59:59",
      machines: [{ serialNumber: named.serial_number, humanName: "whatever" }, plain.serial_number],
    });
    const id = await idOf(answer);
    expect(answer.headers.get("content-type")).toBe("application/zip");
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="mass_generation_${id}.zip"`,
    );
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    const archive = await bytesOf(answer);
    expect(answer.headers.get("content-length")).toBe(String(archive.length));

    const codes = await codesInDatabase(id);
    expect(codes).toHaveLength(30);
    const { entries, content } = await readZip(archive);
    expect(entries.map(({ fileName }) => fileName)).toEqual([
      ...codes.map((code) => `${code}.png`),
      "codes.csv",
    ]);
    for (const [index, code] of codes.entries())
      expect(decodeQr(await content(entries[index]!))).toBe(code);
    const csv = (await content(entries.at(-1)!)).toString();
    expect(csv.startsWith("\ufeff")).toBe(true);
    expect(readCsv(csv.slice(1))).toEqual([
      ["Code", "Name", "Discount"],
      ...codes.map((code) => [code, `'${name}`, "25%"]),
    ]);
    expect(
      archiveSize({
        id,
        name,
        numCodes: 30,
        codeLengths: null,
        discountType: "percentage",
        discountValue: 25,
      }),
    ).toBe(archive.length);

    expect(await rowById("mass_generations", id).first()).toMatchObject({
      name,
      expires_at: new Date("2099-12-31T23:00:00Z"),
      is_single_use: true,
    });
    const assigned = await assignmentsOf("mass_generations", String(id));
    expect(assigned.map((row) => row.machine_id).sort()).toEqual([plain.id, named.id].sort());
  });

  it("generates once with one key, also when asked twice at once", async () => {
    const key = { "Idempotency-Key": "twice" };
    const both = await Promise.all([generate({}, key), generate({}, key)]);
    const [first, second] = [await idOf(both[0]!), await idOf(both[1]!)];
    expect(first).toBe(second);
    expect((await bytesOf(both[0]!)).equals(await bytesOf(both[1]!))).toBe(true);
    expect(await codesInDatabase(first)).toHaveLength(30);
    expect((await generate({ num_codes: 31 }, key)).status).toBe(409);
    expect(await codesInDatabase(first)).toHaveLength(30);
  });

  it("makes nothing for a user who has ten downloads that don't end", async () => {
    const { email } = await insertUser();
    const Authorization = `Bearer ${await issueTokenOf(email)}`;
    const downloads = Array.from({ length: 10 }, () =>
      open(`/api/download_archive/${id}`, { Authorization }),
    );
    const stalled = await Promise.all(downloads);
    const name = "Without a place";
    const refused = await generate({ name }, { Authorization });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(await db()("mass_generations").where({ name })).toEqual([]);
    for (const answer of stalled) answer.destroy();
    await expect
      .poll(async () => (await generate({ name, num_codes: 1 }, { Authorization })).status)
      .toBe(200);
  });

  it("gives its place back when nothing is made", async () => {
    const { email } = await insertUser();
    const Authorization = `Bearer ${await issueTokenOf(email)}`;
    for (let call = 0; call < 11; call++)
      expect((await generate({ machines: ["nowhere"] }, { Authorization })).status).toBe(422);
  });

  it("answers with all codes, whatever part its address names", async () => {
    const answer = await generate({}, {}, "?added=1");
    await idOf(answer);
    expect((await readZip(await bytesOf(answer))).entries).toHaveLength(31);
  });

  it.each<[Values, Record<string, string>]>([
    [{ name: "" }, { name: "Name is required" }],
    [{ num_codes: 0 }, { num_codes: "Number of codes must be at least 1" }],
    [{ num_codes: null }, { num_codes: "Number of codes must be at least 1" }],
    [{ num_codes: 1.5 }, { num_codes: "Number of codes must be a whole number" }],
    [{ num_codes: "12" }, { num_codes: "Number of codes must be a whole number" }],
    [{ num_codes: 100_001 }, { num_codes: "Number of codes cannot exceed 100,000" }],
    [{ num_codes: 1e300 }, { num_codes: expect.any(String) as string }],
    [{ discount_value: 101 }, { discount_value: "Percentage cannot exceed 100%" }],
    [
      { discount_type: "free_drink", discount_value: 2 },
      { discount_value: "Number of free drinks must be 1 for single use" },
    ],
    [{ discount_type: "gift" }, { discount_type: "Choose percentage or free_drink" }],
    [
      { expiration_date: "31/12/2099" },
      { expiration_date: "Invalid date. Send it as YYYY-MM-DDT23:59:59" },
    ],
    [{ expiration_date: "2020-01-01T23:59:59" }, { expiration_date: "Date cannot be in the past" }],
    [{ machines: ["nowhere"] }, { machines: "Not available: nowhere. Nothing was created." }],
    [{ machines: [7] }, { machines: "Machines must be a list of {serialNumber, humanName}" }],
    [
      { name: "", num_codes: 0, discount_value: 0 },
      {
        name: "Name is required",
        num_codes: "Number of codes must be at least 1",
        discount_value: "Percentage must be at least 1%",
      },
    ],
    [{ count: 3 } as Values, { count: "This field is not known" }],
  ])("refuses %j", async (values, fields) => {
    const answer = await generate(values);
    expect(answer.status).toBe(422);
    const body = (await answer.json()) as { error: string; fields: Record<string, string> };
    expect(body).toEqual({ error: Object.values(body.fields)[0], fields });
  });
});

describe("an archive", () => {
  it("of an address with an unknown parameter is refused, because 'added' may be meant", async () => {
    const { id } = await newGeneration();
    const refused = await download(`${id}?aded=1`);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        error: "This parameter is not known",
        fields: { aded: "This parameter is not known" },
      },
    ]);
  });

  it("is the same at every road and every time", async () => {
    const { id, archive } = await newGeneration();
    const answers = [
      await download(id),
      await download(id),
      await fetch(`${server.origin}/app/qr-generation/${id}/archive.zip`, {
        headers: { Cookie: cookie },
      }),
    ];
    const tags = new Set(answers.map((answer) => answer.headers.get("etag")));
    expect([...tags]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/)]);
    for (const answer of answers) {
      expect(answer.headers.get("content-disposition")).toContain(`"mass_generation_${id}.zip"`);
      expect((await bytesOf(answer)).equals(archive)).toBe(true);
    }
  });

  it("stays the same when its codes are used, switched off or given machines of their own", async () => {
    const { id, archive } = await newGeneration();
    await db().raw(
      `update promotions set is_active = false, activation_count = 1, period_uses = 1,
         set_id = new_assignment_set(), version = version + 1
       where mass_generation_id = ? and id % 2 = 0`,
      [id],
    );
    expect((await bytesOf(await download(id))).equals(archive)).toBe(true);
  });

  it("rejects the archive of a deleted generation, and does not find one of an unknown one", async () => {
    const { id } = await newGeneration();
    await rowById("mass_generations", id).update({ is_deleted: true, deleted_at: new Date() });
    const sentence = "This campaign is deleted. An admin can restore it.";
    const deleted = await download(id);
    expect([deleted.status, await deleted.json()]).toEqual([409, { error: sentence }]);
    const screen = await server.send(`/app/qr-generation/${id}/archive.zip`, { cookie });
    expect([screen.status, screen.body]).toEqual([409, sentence]);

    for (const unknown of ["999999", "0", "9".repeat(30)]) {
      const answer = await download(unknown);
      const error = "Error: Campaign not found";
      expect([answer.status, await answer.json()]).toEqual([404, { error }]);
    }
    expect((await server.send("/app/qr-generation/x/archive.zip", { cookie })).status).toBe(404);
    for (const wrong of ["x", "-1", "1.5", "1%00"])
      expect((await download(wrong)).status).toBe(400);
  });

  it("has all files of many codes", async () => {
    const codes = await codesInDatabase(id);
    const { entries, content } = await readZip(whole);
    expect(entries.map(({ fileName }) => fileName)).toEqual([
      ...codes.map((code) => `${code}.png`),
      "codes.csv",
    ]);
    for (let index = 0; index < codes.length; index += 997)
      expect(decodeQr(await content(entries[index]!))).toBe(codes[index]);
    const lines = readCsv((await content(entries.at(-1)!)).toString().slice(1));
    expect(lines.slice(1).map(([code]) => code)).toEqual(codes);
  });
});

describe("a part of an archive", () => {
  const range = (text: string, headers: Record<string, string> = {}) =>
    download(id, { Range: text, ...headers });

  property([fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 200_000 })], {
    numRuns: repetitions(5, 100),
  })("is that slice of the whole", async (share, length) => {
    const first = Math.floor(share * (whole.length - 1));
    const end = Math.min(first + length, whole.length);
    const answer = await range(`bytes=${first}-${first + length - 1}`);
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes ${first}-${end - 1}/${whole.length}`);
    expect(answer.headers.get("content-length")).toBe(String(end - first));
    expect(answer.headers.get("etag")).toBe(etag);
    expect((await bytesOf(answer)).equals(whole.subarray(first, end))).toBe(true);
  });

  it("may be the rest, or the last bytes", async () => {
    const rest = await range(`bytes=${whole.length - 700_000}-`);
    expect((await bytesOf(rest)).equals(whole.subarray(-700_000))).toBe(true);
    const last = await range("bytes=-100");
    expect([last.status, last.headers.get("content-length")]).toEqual([206, "100"]);
    expect((await bytesOf(last)).equals(whole.subarray(-100))).toBe(true);
    const more = await range(`bytes=-${whole.length * 2}`);
    expect((await bytesOf(more)).equals(whole)).toBe(true);
  });

  it("goes on with a download that broke off", async () => {
    const broken = await read(`/api/download_archive/${id}`, 1_500_000);
    expect(broken.bytes.length).toBeLessThan(whole.length);
    const rest = await range(`bytes=${broken.bytes.length}-`, {
      "If-Range": broken.headers.etag!,
    });
    expect(rest.status).toBe(206);
    const complete = Buffer.concat([broken.bytes, await bytesOf(rest)]);
    expect(sha256(complete)).toBe(sha256(whole));
  });

  it("is refused behind the end", async () => {
    for (const text of [`bytes=${whole.length}-`, "bytes=-0"]) {
      const answer = await range(text);
      expect(answer.status).toBe(416);
      expect(answer.headers.get("content-range")).toBe(`bytes */${whole.length}`);
      expect(await answer.json()).toEqual({ error: "The file ends before this range." });
    }
  });

  const notRead = ["bytes=0-1,5-6", "lines=1-2", "bytes=9-3", "bytes=-", "bytes=a-b", "bytes"];
  it.each(notRead.slice(0, repetitions(2, notRead.length)))(
    "that reads %j is the whole",
    async (text) => {
      const answer = await range(text);
      expect([answer.status, answer.headers.get("content-range")]).toEqual([200, null]);
      expect(answer.headers.get("content-length")).toBe(String(whole.length));
      await answer.body?.cancel();
    },
  );

  it("answers a range of another version with the whole archive", async () => {
    for (const tag of ['"another"', `W/${etag}`, "Sat, 01 Jan 2000 00:00:00 GMT"]) {
      const answer = await range("bytes=5-9", { "If-Range": tag });
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
    expect((await range("bytes=5-9", { "If-Range": etag })).status).toBe(206);
  });

  it("is nothing where the client has it, and a HEAD has no body", async () => {
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await download(id, { "If-None-Match": known, Range: "bytes=0-5" });
      expect([answer.status, await answer.text()]).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
    }
    expect((await range("bytes=0-5", { "If-None-Match": '"x"' })).status).toBe(206);
    const head = await download(id, { Range: "bytes=0-5" }, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(whole.length));
    expect(head.headers.get("content-type")).toBe("application/zip");
  });

  it("is as guarded as the whole", async () => {
    const answer = await server.send(`/app/qr-generation/${id}/archive.zip`, {
      cookie,
      headers: { Range: "bytes=-22" },
    });
    expect(answer.status).toBe(206);
  });
});

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function open(
  target: string,
  headers = { Authorization: `Bearer ${token}` },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(server.origin + target, { headers, agent: false }, resolve).once("error", reject);
  });
}

/** Reads the first bytes, at least so many, and hangs up. */
async function read(target: string, enough: number) {
  const answer = await open(target);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    if ((size += (chunk as Buffer).length) >= enough) break;
  }
  return { headers: answer.headers, bytes: Buffer.concat(chunks) };
}
