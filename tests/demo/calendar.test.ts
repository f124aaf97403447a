import { expect, it } from "vitest";
import { signInNewUser, useServer } from "../support/server";
import { textsOf } from "../support/html";
import { expectRejection, useSession } from "../support/session";

/** The calendar of the demo area with nothing but HTTP. */
const server = useServer({ environment: { DEMO_PAGES: "1" } });
const session = useSession(server);
const { page, post } = session;
const calendar = "/app/extra/calendar";

it("adds an event with a title and moves it to another day, for its session alone", async () => {
  expect(await page(`${calendar}?date=2026-05-10&new=2026-05-12`)).toContain(
    "New event on 12.05.2026",
  );
  const event = { intent: "add", title: "Board <b>meeting</b>", day: "2026-05-12" };
  expect((await post(calendar, event)).status).toBe(303);
  const shown = await page(`${calendar}?date=2026-05-01`);
  expect(shown).toContain("Board &lt;b&gt;meeting&lt;/b&gt;");
  const id = /move=(\d+)"[^>]*>Board/.exec(shown)![1]!;
  await post(`${calendar}?view=day`, { intent: "move", event: id, day: "03/06/2026" });
  expect(await page(`${calendar}?view=day&date=2026-06-03`)).toContain("Board");
  const other = await signInNewUser();
  const answer = await server.send(`${calendar}?view=list&date=2026-06-03`, { cookie: other });
  expect(answer.body).not.toContain("Board");
  const move = { intent: "move", event: id, day: "2026-06-04" };
  expect((await post(calendar, move, { cookie: other })).status).toBe(404);
});

it("keeps the form when the title or the day is missing", async () => {
  const untitled = { intent: "add", title: " ", day: "2026-05-12" };
  const opened = `${calendar}?date=2026-05-10&new=2026-05-12`;
  expectRejection(await post(opened, untitled), 422, "Enter a title");
  const dateless = { intent: "add", title: "x", day: "31/02/2026" };
  expect((await post(calendar, dateless)).status).toBe(422);
});

it("adds an event once when its form is sent again, and another one after its title was changed", async () => {
  const form = await session.open(`${calendar}?date=2026-07-10&new=2026-07-12`);
  await form.press("Add event", { title: "Picnic" });
  await form.press("Add event", { title: "Picnic" });
  const changed = await form.press("Add event", { title: "Barbecue" });
  expect(changed.text).toContain("This was already sent with other values.");
  await changed.press("Add event");
  const list = await page(`${calendar}?view=list&date=2026-07-01`);
  expect(list.match(/aria-label="Move Picnic"/g)).toHaveLength(1);
  expect(list.match(/aria-label="Move Barbecue"/g)).toHaveLength(1);
});

it("begins its weeks as the settings say", async () => {
  await (await session.open("/app/settings")).press("Save settings", { weekStart: "sunday" });
  const month = await page(`${calendar}?date=2026-05-10`);
  expect(textsOf(month, "th").slice(0, 2)).toEqual(["Sun", "Mon"]);
  const week = await page(`${calendar}?view=week&date=2026-05-10`);
  expect(textsOf(week, "h2")).toContain("10.05.2026 to 16.05.2026");
});
