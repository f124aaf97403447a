import { readdirSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { demoPages } from "../../app/demo/pages";
import { textsOf } from "../support/html";
import { cookieOf, signInNewUser, useServer } from "../support/server";
import { scriptedPages } from "./scripted-pages";

/** The pages of the demo area with nothing but HTTP. */
const server = useServer({ environment: { DEMO_PAGES: "1" } });
let cookie = "";

beforeAll(async () => {
  cookie = await signInNewUser();
});

const load = async (path: string) => {
  const answer = await server.send(path, { cookie });
  return { ...answer, body: answer.body.replaceAll("<!-- -->", "") };
};
const get = async (path: string) => /<main[\s\S]*<\/main>/.exec((await load(path)).body)![0];
const post = (path: string, body: Record<string, string>, more = cookie) =>
  server.send(path, { method: "POST", cookie: more, body });
const count = (html: string, part: string | RegExp) =>
  html.match(new RegExp(part, "g"))?.length ?? 0;

/** Bytes of a page on the wire: the server compresses pages with this quality. */
const sentBytes = (html: string) =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;

/** The page without the style sheet that a first visit carries. */
const withoutStyles = (html: string) => html.replace(/<style[\s\S]*?<\/style>/g, "");

describe("every demo page", () => {
  it.each(demoPages.map(({ path, title }) => [path, title]))(
    "%s is small, named, asks nobody else for anything and sends no script it can do without",
    async (path, title) => {
      const { status, body } = await load(path);
      expect(status).toBe(200);
      expect(textsOf(body, "h1")).toEqual([title]);
      expect(textsOf(body, "title")[0]).toBe(`${title} - Promo Console`);
      const html = withoutStyles(body);
      expect(sentBytes(html)).toBeLessThanOrEqual(14 * 1024);
      expect(html).not.toMatch(/(src|srcset|action|data|poster)="(https?:)?\/\//);
      expect(html).not.toMatch(/ style="/);
      if (!scriptedPages.includes(path)) expect(body).not.toContain("<script");
    },
  );

  it("is linked by the index, which the sidebar opens as a document", async () => {
    const main = await get("/app/demo");
    for (const { path, label } of demoPages)
      expect(main).toMatch(new RegExp(`href="${path}"[^>]*>${label}<`));
    for (const path of ["/app/demo", "/app/ui/badge"])
      expect((await load(path)).body).toMatch(/<a[^>]*aria-current="page"[^>]*href="\/app\/demo"/);
  });

  it("that is unknown is a 404 inside the shell", async () => {
    expect((await load("/app/ui/nothing")).status).toBe(404);
    expect(await get("/app/ui/nothing")).toContain("Back to Home");
  });
});

it.each([
  ["demo", ["Samples of the interface", "Product: boots", "Draggable widgets"]],
  ["core/typography", ["Figure: The quick brown fox", "Basic text settings"]],
  ["core/colors", ["Main action, current entry", "#3F51C8"]],
  ["core/grid", ["Equal width", "Three"]],
  ["tables/static", ["Employee List", "6 employees", "Joe James"]],
  ["tables/dynamic", ["1–5 of 13", "Nutrition", "Protein (g)", "Marshmallow"]],
  ["ui/icons", ["Material Icons", "Font Awesome", "Traffic"]],
  ["ui/standard-icons", ["2,191 icons", "Next"]],
  ["ui/badge", ["Text badges", "Chips"]],
  ["ui/carousel", ["Back", "Next", "1 / 6", "Glacier Bay"]],
  ["ui/cards", ["Lizard", "342 reviews", "69%", "Write a review"]],
  ["ui/modal", ["Live demo", "Scrolling content", "Small size (sm)", "Extra large size (xl)"]],
  ["ui/modal/live", ["Disagree", "Agree"]],
  ["ui/modal/scroll", ["Cancel", "Subscribe"]],
  ["ui/modal/sm", ["A small dialog", "One short sentence"]],
  ["ui/modal/form", ["Email Address", 'type="email"']],
  ["ui/notifications", ["Top left", "Bottom center", "Rows, contained", "Rows, rounded", "6000"]],
  ["ui/navbar", ["Disabled", "Profile", "My account", 'type="search"']],
  ["ui/tooltips", ["Tooltip at the top", "Popover at the left", 'popover="auto"']],
  ["ui/tabs", ["Item one", "Item three", "Disabled panel", "<details"]],
  ["ui/progress", ["Circular", "Linear", "Determinate", "Pause"]],
  ["ui/widget", ["Simple widget", "Page title", "Usage"]],
  ["forms/elements", ['maxLength="3"', "Min 8 characters", "Min length 10", "Grouped select"]],
  ["forms/validation", ["Validate", "Cancel"]],
  ["charts/overview", ["Visits by month", "Heat map", "Radar", "Pie", "Show as a table"]],
  ["charts/line", ["Basic", "Real-time", "Next point", "Random values"]],
  ["charts/bar", ["Visits by month", "Show as a table"]],
  ["charts/pie", ["Simple pie", "Randomize", "Add", "Remove", "Reset"]],
  ["grid", ["News", "Latest shares", "Sign up", "Collapsed &amp; locked", "Custom loader"]],
  ["maps/google", ["Open Melbourne in Google Maps", "a drawing of Melbourne", "melbourne.svg"]],
  ["maps/vector", ["Buenos Aires", "world.svg", 'width="1288"']],
  ["extra/timeline", ["Jessica Nilson", "4 minutes ago", "melbourne.svg"]],
  ["extra/search", ["About 94,700,000 results", ">10</a>", ">Vitaut the Great</a>"]],
  ["extra/gallery", ["Bridge", "Bali"]],
  ["extra/invoice", ["$1,621.88", "$162.19", "$1,784.07", "Proceed with Payment"]],
  ["extra/invoice?paid=1", ["nothing was paid"]],
  ["extra/calendar", ["Month", "List", "Meeting", "Select an event to enter its day."]],
])("%s shows what it is about", async (path, texts) => {
  const html = await get(`/app/${path}`);
  for (const text of texts) expect(html).toContain(text);
});

it("shows the last page of the dynamic table for one that it doesn't have, and says so", async () => {
  const html = await get("/app/tables/dynamic?page=99");
  expect(html).toContain("11–13 of 13");
  expect(html).toContain("That page has no rows, so the nearest one is shown");
});

describe("the icon galleries", () => {
  it("search and page on the server, with fewer than a hundred icons a page", async () => {
    const material = await get("/app/ui/icons");
    expect(count(material, "<svg viewBox")).toBeLessThanOrEqual(100);
    expect(await get("/app/ui/icons?page=4")).toContain("ZoomOutMap");
    const font = await get("/app/ui/icons?tab=font&search=yahoo");
    expect(font).toContain("1 icon");
    expect(font).toContain("Yahoo");
    expect(await get("/app/ui/icons?tab=font")).toContain("Bed");
    expect(await get("/app/ui/standard-icons?search=nosuchicon")).toContain("No icons found");
  });
});

describe("the carousel", () => {
  const text = (html: string) => /aria-label="Steps, text"[\s\S]*?<\/nav>/.exec(html)![0];

  it("has no way back from its first step and none on from its last", async () => {
    const first = text(await get("/app/ui/carousel"));
    expect(first).toMatch(/aria-disabled="true"[^>]*>Back/);
    expect(first).toMatch(/href="[^"]*text=2[^"]*"[^>]*>Next/);
    const last = text(await get("/app/ui/carousel?text=6"));
    expect(last).toMatch(/aria-disabled="true"[^>]*>Next/);
    expect(last).toMatch(/text=5[^"]*"[^>]*>Back/);
  });

  it("loads only pictures within two steps", async () => {
    const pictures = (html: string) => count(/id="text"[\s\S]*?<\/nav>/.exec(html)![0], "<img");
    expect(pictures(await get("/app/ui/carousel"))).toBe(3);
    expect(pictures(await get("/app/ui/carousel?text=3"))).toBe(5);
  });
});

it.each(["info", "error", "success"])("shows a snackbar of the kind %s", async (kind) => {
  const html = await get(`/app/ui/notifications?position=bottom-right&kind=${kind}`);
  expect(html).toContain(`This is a ${kind} message!`);
  expect(html).toContain('aria-label="Dismiss"');
});

it("tells the outcome of a dialog on the next page", async () => {
  const answer = await post("/app/ui/modal/live", {});
  expect(answer.status).toBe(303);
  expect(await get(answer.headers.location!)).toContain("You pressed “Agree”");
});

it("marks the first field when a form is validated, and keeps what was typed", async () => {
  const html = await get("/app/forms/validation?first=abc&second=def&validate=1");
  expect(html).toContain("This field is marked as an error.");
  expect(html).toContain('value="abc"');
  expect(count(html, 'aria-invalid="true"')).toBe(1);
});

describe("the charts", () => {
  it("separate the name of a slice from its value", async () => {
    expect(await get("/app/charts/pie")).toContain("Series 5: 22");
  });

  const series = (html: string) => count(html, /<th[^>]*>Series \d+</g.source);

  it("adds and removes a series of the donut, but never the last one", async () => {
    const donut = await get("/app/charts/pie");
    expect(series(donut)).toBe(5);
    // Slices stand around the centre of the picture.
    expect(donut).toMatch(/<path[^>]*transform="translate\(/);
    expect(series(await get("/app/charts/pie?seed=3&count=6"))).toBe(6);
    const one = await get("/app/charts/pie?seed=3&count=1");
    expect(series(one)).toBe(1);
    expect(one).toMatch(/href="\?seed=3&amp;count=1#donut"[^>]*>Remove/);
    expect(await get("/app/charts/pie?seed=3")).not.toBe(await get("/app/charts/pie?seed=4"));
  });

  it("step in real time by a link", async () => {
    expect(await get("/app/charts/line?tick=5")).toContain("tick=6#real-time");
  });
});

it("moves the determinate bar on by less than ten and back to 0 after 100", async () => {
  const next = async (value: number) =>
    Number(/\?value=(\d+)">Next step/.exec(await get(`/app/ui/progress?value=${value}`))![1]);
  expect(await next(50)).toBeGreaterThanOrEqual(50);
  expect(await next(50)).toBeLessThan(60);
  expect(await next(100)).toBe(0);
});

it("keeps the value of the determinate bar when it is paused, and the pause at its next step", async () => {
  const body = (await get("/app/ui/progress?value=40")).replaceAll("&amp;", "&");
  expect(body).toMatch(/\?value=40&paused=1"[^>]*>Pause/);
  const paused = (await get("/app/ui/progress?value=40&paused=1")).replaceAll("&amp;", "&");
  expect(paused).toMatch(/href="\?value=\d+&paused=1">Next step/);
  expect(paused).toMatch(/\?value=40"[^>]*>Resume/);
});

describe("the breadcrumb", () => {
  const trail = async (path: string) => {
    const { body } = await server.send(path, { cookie });
    const [nav] = /<nav aria-label="Breadcrumb">.*?<\/nav>/s.exec(body)!;
    return { links: textsOf(nav, "a"), items: textsOf(nav, "li") };
  };

  it.each([
    ["/app/core/typography", ["App", "Demo Pages", "Typography"]],
    ["/app/extra/calendar", ["App", "Demo Pages", "Calendar"]],
    ["/app/ecommerce/gridproducts", ["App", "Demo Pages", "Product Grid"]],
    ["/app/core/grid", ["App", "Demo Pages", "Grid System"]],
    ["/app/grid", ["App", "Demo Pages", "Grid"]],
    ["/app/ecommerce/product", ["App", "Demo Pages", "Trainers"]],
    ["/app/ui/modal/sm", ["App", "Demo Pages", "Modal", "A Small Dialog"]],
  ])("of %s leads back to the index", async (path, items) => {
    expect(await trail(path)).toEqual({ links: ["Demo Pages"], items });
  });

  it("has the name of its page on the index", async () => {
    expect((await trail("/app/demo")).items).toEqual(["App", "Demo Pages"]);
  });
});

describe("the grid of widgets", () => {
  it("answers a sign-up", async () => {
    expect(await get("/app/grid")).not.toContain("nobody was signed up");
    expect(await get("/app/grid?name=Amy&signedUp=1")).toContain("nobody was signed up");
  });

  it("moves a widget to a place and keeps the order in a cookie", async () => {
    const headings = async (more = "") =>
      textsOf((await server.send("/app/grid", { cookie: `${cookie}${more}` })).body, "h2");
    const first = await headings();
    expect(first.slice(0, 3)).toEqual(["News", "Latest shares", "Free sign-up"]);
    const moved = await post("/app/grid", { widget: "signUp", place: "0" });
    expect(moved.headers.location).toBe("/app/grid#signUp");
    expect((await headings(`; ${cookieOf(moved)}`)).slice(0, 3)).toEqual([
      "Free sign-up",
      "News",
      "Latest shares",
    ]);
    expect(await headings("; demo-grid=news.news.x")).toEqual(first);
    const locked = await post("/app/grid", { widget: "locked", place: "0" });
    expect(await headings(`; ${cookieOf(locked)}`)).toEqual(first);
  });
});

it("has pictures of at most 20 KiB, which are served again only when they have changed", async () => {
  const folder = "app/demo/pictures";
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".svg"))) {
    const address = `/app/demo/pictures/${file}`;
    const { status, body, headers } = await server.send(address, { cookie });
    expect([status, headers["content-type"]], file).toEqual([200, "image/svg+xml"]);
    expect(body.length, file).toBeLessThanOrEqual(20 * 1024);
  }
  const address = "/app/demo/pictures/world.svg";
  const world = await server.send(address, { cookie });
  expect(world.body).toContain('<path id="AFG"');
  expect(world.body).not.toContain("Antarctica");
  const ifChanged = { "If-None-Match": world.headers.etag! };
  expect((await server.send(address, { cookie, headers: ifChanged })).status).toBe(304);
  const none = await server.send("/app/demo/pictures/none.svg", { cookie });
  expect(none.status).toBe(404);
});
