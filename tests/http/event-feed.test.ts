import { beforeAll, describe, expect, it } from "vitest";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { issueTokenOf, useServer } from "../support/server";
import { inSoak } from "../support/repetitions";

const server = useServer();
let token = "";

beforeAll(async () => {
  token = await issueTokenOf();
});

const feed = (search = "") => server.call("GET", `/api/events${search}`, { token });

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

  inSoak(it)("says when to ask again if too many wait already", async () => {
    const { json } = await feed();
    const waits = Array.from({ length: 31 }, () => feed(`?after=${json.next}&wait=2`));
    const answers = await Promise.all(waits);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual([
      [503, "2"],
    ]);
  });
});
