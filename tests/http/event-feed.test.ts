import { beforeAll, describe, expect, it } from "vitest";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertUser } from "../factories/people-and-machines";
import { issueTokenOf, useServer } from "../support/server";
import { inSoak } from "../support/repetitions";

const server = useServer();
let token = "";

beforeAll(async () => {
  token = await issueTokenOf();
});

const feed = (search = "", reader = token) =>
  server.call("GET", `/api/events${search}`, { token: reader });

const newReader = async () => issueTokenOf((await insertUser()).email);

/** Calls the feed many times at once, so that each call waits for 2 s. @returns the answers that were refused */
async function refusedWaits(readers: string[], next: string) {
  const answers = await Promise.all(
    readers.map((reader) => feed(`?after=${next}&types=machine.unknown&wait=2`, reader)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  return refused.map(({ status, headers }) => [status, headers["retry-after"]]);
}

describe("GET /api/events", () => {
  it("answers a call that waits as soon as something has happened", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const { json: begin } = await feed();
    const types = "types=promotion.redeemed";
    const waiting = feed(`?after=${begin.next}&${types}`);
    await redeem(request(target), secret);
    const { status, json } = await waiting;
    expect(status).toBe(200);
    expect(json.events).toMatchObject([
      { type: "promotion.redeemed", subject: `promotion:${target.id}` },
    ]);
    expect((await feed(`?after=${json.next}&${types}&wait=0`)).json).toEqual({
      events: [],
      next: json.next,
    });
    const [event] = (await feed(`?after=${begin.next}&types=promotion.redeemed`)).json.events;
    expect(event).toEqual(json.events[0]);
  });

  it.each([
    "after=x",
    "after=-1",
    "after=99999999999",
    "wait=26",
    "limit=101",
    "types=x",
    "from=1",
  ])("rejects ?%s", async (search) => {
    const { status, json } = await feed(`?${search}`);
    expect(status).toBe(400);
    expect(json.error).toBeTruthy();
  });

  it("lets at most ten calls of a user wait, and those of others besides", async () => {
    const { json } = await feed();
    const one = await newReader();
    const readers = [...Array.from({ length: 11 }, () => one), await newReader()];
    expect(await refusedWaits(readers, json.next)).toEqual([[429, "2"]]);
    expect(await refusedWaits([one], json.next)).toEqual([]);
  });

  inSoak(it)("says when to ask again if too many wait already", async () => {
    const { json } = await feed();
    const users = await Promise.all(Array.from({ length: 4 }, newReader));
    const readers = Array.from({ length: 31 }, (_, call) => users[call % 4]!);
    expect(await refusedWaits(readers, json.next)).toEqual([[503, "2"]]);
  });
});
