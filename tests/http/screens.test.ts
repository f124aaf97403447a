import path from "node:path";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "@remix-run/router";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { DomainError } from "../../app/errors";
import { screenRoute } from "../../app/http/answers.server";
import { readPreferences } from "../../app/http/preferences.server";
import { paths } from "../../app/paths";
import { screens } from "../../app/screens";
import { errorTexts } from "../../app/ui/layout/error-page";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion } from "../factories/promotions";
import { textsOf } from "../support/html";
import {
  type Answer,
  cookieOf,
  openSession,
  openSessionOf,
  type Sending,
  useServer,
} from "../support/server";

const server = useServer();
let cookie = "";

beforeAll(async () => {
  cookie = await openSessionOf();
});

describe("the sign-in page", () => {
  it("sends no script and leads a signed-in person home", async () => {
    const page = await server.send("/login");
    expect(page.status).toBe(200);
    expect(page.body).toMatch(/<h1>Good (Morning|Day|Evening|Night)<\/h1>/);
    expect(page.body).not.toContain("<script");
    expect(page.body).not.toContain("modulepreload");
    expect((await server.send("/login", { cookie })).headers.location).toBe("/");
  });
});

describe("the style sheet", () => {
  it("is part of a first page, and its file is left to the next pages", async () => {
    const { headers, body } = await server.send("/app/dashboard", { cookie });
    const [, nonce, styles] = /<style nonce="([^"]+)">(.*?)<\/style>/s.exec(body)!;
    expect(headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${nonce}'`);
    const [, sheet] = /<link rel="stylesheet" media="not all" href="([^"]+)" disabled\/>/.exec(
      body,
    )!;
    expect(body).toContain(
      `<noscript><link rel="stylesheet" media="not all" href="${sheet}"/></noscript>`,
    );
    expect(headers["set-cookie"]).toBeUndefined();
    expect((await server.send(sheet!)).body).toBe(styles);

    const next = await server.send("/app/dashboard", {
      cookie: `${cookie}; sheet=${path.basename(sheet!)}`,
    });
    expect(next.body).toContain(`<link rel="stylesheet" href="${sheet}"/>`);
    // An empty element would keep NetSurf waiting.
    expect(next.body).toContain(`<style nonce="${nonceOf(next)}">/**/</style>`);
    expect(next.headers.link).toContain(`<${sheet}>; rel=preload; as=style`);
    expect(next.headers["set-cookie"]).toBeUndefined();
  });

  it("sends the styles when the cookie is of another release", async () => {
    const { body } = await server.send("/app/faq", { cookie: `${cookie}; sheet=kit-old.css` });
    expect(body).toMatch(/<style nonce="[^"]+">:root/);
  });

  it("is in one page alone after an upgrade, also without scripts", async () => {
    const first = await server.send("/app/faq", { cookie: `${cookie}; styles=kit-old.css` });
    expect(first.body).toMatch(/<style nonce="[^"]+">:root/);
    const renewed = cookieOf(first);
    expect(renewed).toMatch(/^styles=kit-/);
    const next = await server.send("/app/faq", { cookie: `${cookie}; ${renewed}` });
    expect(next.body).not.toContain(":root");
    expect(next.headers["set-cookie"]).toBeUndefined();
  });

  it("is part of the sign-in page, unless the browser has the file", async () => {
    const { headers, body } = await server.send("/login");
    const [, nonce] = /<style nonce="([^"]+)">:root/.exec(body)!;
    expect(headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${nonce}'`);

    const known = cookieOf(await server.send("/login"));
    const again = await server.send("/login", { cookie: known });
    expect(again.body).toMatch(/<link rel="stylesheet" href="[^"]+"\/>/);
    expect(again.body).not.toContain(":root");
  });
});

it("names the scripts of a first page in a header, those of all pages first", async () => {
  const first = await server.send("/app/dashboard", { cookie });
  const { headers, body } = first;
  const scripts = [...body.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)];
  const links = String(headers.link).split(", ");
  expect(links.slice(0, 2)).toEqual([
    expect.stringMatching(/^<\/assets\/rolldown-runtime-[\w-]+\.js>/),
    expect.stringMatching(/^<\/assets\/kit-[\w-]+\.js>/),
  ]);
  expect(links.toSorted()).toEqual(
    scripts.map(([, script]) => `<${script}>; rel=modulepreload; fetchpriority=low`).toSorted(),
  );
  const next = await server.send("/app/dashboard", {
    cookie: `${cookie}; ${cookieOf(await server.send("/login"))}`,
  });
  expect(next.headers.link).not.toContain("modulepreload");
  const lite = { "Save-Data": "on" };
  expect((await server.send("/app/dashboard", { cookie, headers: lite })).headers.link).toBe(
    undefined,
  );
});

const nonceOf = ({ headers }: Answer) =>
  /'nonce-([^']+)'/.exec(headers["content-security-policy"] as string)![1]!;

it("keeps neighbours apart in browsers without styles, and has one menu", async () => {
  await insertMachine();
  const promotion = await insertPromotion();
  const generation = await insertGeneration();
  const inline = "(?:a|button|label|span|strong|select|input|b|code|svg)";
  const glued = new RegExp(`[^\\s>](</${inline}>)+(<${inline}\\b[^>]*>)+[^\\s<]{1,20}`, "g");
  for (const screen of [
    ...screens.map(({ path }) => path),
    paths.promotion(promotion),
    paths.generation(generation),
    paths.profileEdit,
  ]) {
    const { body } = await server.send(screen, { cookie });
    expect(body.slice(body.indexOf("<body")).match(glued) ?? [], screen).toEqual([]);
    expect(body.match(/<nav[^>]* aria-label="Main"/g)).toHaveLength(1);
    // Paragraphs of their own keep the links to skip apart.
    expect(body).toMatch(/<p><a href="#main">[^<]*<\/a><\/p>(<p><a href="#table">|<\/div>)/);
  }
});

it("has a sidebar with an icon for each screen, and what is about the product at its foot", async () => {
  const { body } = await server.send("/app/dashboard", { cookie });
  const sidebar = body.slice(body.indexOf('id="sidebar"'), body.indexOf("</nav>"));
  const entries = [...sidebar.matchAll(/href="[^"]*#i-([^"]+)".*?<\/svg>([^<]+)/g)];
  const icons = entries.map(([, icon]) => icon);
  expect(new Set(icons).size).toBe(icons.length);
  const foot = entries.map(([, , title]) => title).slice(-4);
  expect(foot).toEqual(["Profile", "Support", "FAQ", "API docs"]);
});

it("has an icon that browsers keep for a day", async () => {
  const { status, headers } = await server.send("/favicon.svg");
  expect([status, headers["cache-control"]]).toEqual([200, "max-age=86400"]);
});

it("rejects a post that does not say what it holds", async () => {
  for (const address of [
    "/login",
    "/preferences",
    "/app/qr-generation",
    "/app/qr-generation/mass",
    "/app/profile",
    "/app/qr-list/bulk",
    "/app/machines/refresh",
    "/app/webhooks",
    "/app/users/1/edit",
  ]) {
    const statusOf = async (body: string) =>
      (await server.send(address, { method: "POST", body, cookie })).status;
    expect(await statusOf("name=Untyped"), address).toBe(415);
    // An empty body needs no type, and is no fault of the server.
    expect(await statusOf(""), address).toBeLessThan(500);
  }
});

describe("the nonce", () => {
  it("is this answer's own, and on every script", async () => {
    const pages = await Promise.all([1, 2].map(() => server.send("/app/qr-list", { cookie })));
    const nonces = pages.map((page) => {
      const { body } = page;
      const nonce = nonceOf(page);
      const scripts = body.match(/<script[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
      expect(body).not.toMatch(/ style="| onclick=/);
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });
});

describe("preferences", () => {
  const post = (body: Record<string, string> | [string, string][], before?: string) =>
    server.send("/preferences", { method: "POST", body, cookie: before });
  const readFrom = (cookies: string, headers = {}) =>
    readPreferences(new Request("http://x/", { headers: { Cookie: cookies, ...headers } }));

  it("are remembered one by one", async () => {
    const theme = await post({ theme: "success", returnTo: "/app/qr-list?page=2" });
    expect([theme.status, theme.headers.location]).toEqual([303, "/app/qr-list?page=2"]);
    const mode = await post({ mode: "dark" }, cookieOf(theme));
    const sidebar = await post({ sidebar: "collapsed" });
    const lite = await post([
      ["lite", "off"],
      ["lite", "on"],
    ]);
    const refresh = await post({ refresh: "paused" });
    const steps = await post({ steps: "hidden" });
    expect(readFrom([mode, sidebar, lite, refresh, steps].map(cookieOf).join("; "))).toEqual({
      theme: "success",
      mode: "dark",
      isSidebarOpen: false,
      isLite: true,
      hasShortcuts: true,
      isRefreshPaused: true,
      isFirstStepsShown: false,
    });
  });

  it("lead back to the control that was pressed, unless its name is longer than a header may be", async () => {
    const after = async (control: string) =>
      (await post({ mode: "dark", control, returnTo: "/app/faq" })).headers.location;
    expect(await after("mode-dark")).toBe("/app/faq#mode-dark");
    expect(await after("x".repeat(40_000))).toBe("/app/faq");
  });

  it("are the usual ones without cookies, and whatever a cookie says", () => {
    const defaults = {
      theme: "default",
      mode: "system",
      isSidebarOpen: true,
      isLite: false,
      hasShortcuts: true,
      isRefreshPaused: false,
      isFirstStepsShown: true,
    };
    expect(readFrom("")).toEqual(defaults);
    expect(readFrom('theme=<script>.x; sidebar=%; lite=maybe; theme="')).toEqual(defaults);
    expect(readFrom("", { "Save-Data": "on" }).isLite).toBe(true);
    expect(readFrom("lite=off", { "Save-Data": "on" }).isLite).toBe(false);
  });

  it("take nothing else, and lead nowhere else", async () => {
    const answer = await post({
      theme: "evil; Domain=.example",
      sidebar: "x",
      lite: "1",
      refresh: "never",
      steps: "none",
      returnTo: "//evil.example",
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.headers.location).toBe("/");
  });
});

describe("the hint about the address of a webhook", () => {
  it("follows the setting, by which private networks are not allowed", async () => {
    const { body } = await server.send("/app/webhooks", { cookie });
    expect(body).toContain("It begins with https:// and is not in a private network.");
  });
});

describe("the page of help", () => {
  it("tells people who can't sign in what to do, and how accessible the console is", async () => {
    for (const address of ["/login", "/password-reset"])
      expect((await server.send(address)).body).toContain('href="/help"');
    const { status, body } = await server.send("/help");
    expect(status).toBe(200);
    expect(body).toContain("You lost your phone");
    expect(body).toContain("Web Content Accessibility Guidelines");
    expect(body).toContain("Sign up where the sign-in page offers it. Otherwise an admin");
    const support = (await server.send("/app/support", { cookie })).body;
    expect(support).toContain('href="/help"');
    expect(support).toContain("Where no vending platform lists the machines, an admin adds them.");
  });

  it("leads people who are signed in back to the console, and others to the sign-in page", async () => {
    expect((await server.send("/help")).body).toContain("Back to login");
    const { body } = await server.send("/help", { cookie });
    expect(body).toContain("Back to Home");
    expect(body).not.toContain("Back to login");
  });
});

describe("the page of keys", () => {
  it("names no shortcut to what viewers may not open", async () => {
    const viewer = await openSession((await insertUser({ role: "viewer" })).id);
    const keysOf = async (sent: string) =>
      textsOf((await server.send("/app/keyboard", { cookie: sent })).body, "kbd");
    expect(await keysOf(cookie)).toEqual(expect.arrayContaining(["l", "n", "b"]));
    expect(await keysOf(viewer)).toContain("l");
    expect(await keysOf(viewer)).not.toContain("n");
    expect(await keysOf(viewer)).not.toContain("b");
  });
});

describe("a message for the next page", () => {
  const leave = async (id: string) => {
    const session = await db()("sessions")
      .orderBy("created_at")
      .first<{ id_hash: Buffer }>("id_hash");
    await db()("flash_messages").insert({
      id,
      session_id_hash: session!.id_hash,
      kind: "success",
      message: `Saved ${id}`,
      hide_after_ms: 4_000,
    });
  };

  it("is shown once, in the session that it is for, by the page that its address names", async () => {
    await leave("abcdefghijkl");
    const other = await openSessionOf();
    const read = (headers = {}, who = cookie, method = "GET") =>
      server.send("/app/support?flash=abcdefghijkl", { method, cookie: who, headers });
    expect((await server.send("/app/support", { cookie })).body).not.toContain("Saved");
    expect((await read({}, other)).body).not.toContain("Saved");
    await read({}, cookie, "HEAD");
    await read({ "Sec-Purpose": "prefetch" });
    expect((await read()).body).toContain("Saved abcdefghijkl");
    expect((await read()).body).not.toContain("Saved");
  });

  it("begins the title of a document, which is read aloud without scripts", async () => {
    await leave("bcdefghijklm");
    const address = "/app/check?flash=bcdefghijklm";
    const { body } = await server.send(address, { cookie });
    expect(body).toContain("<title>Saved bcdefghijklm - Check a code - Promo Console</title>");
    expect((await server.send(address, { cookie })).body).toContain("<title>Check a code - ");
  });
});

describe("an error page", () => {
  const open = async (path: string, sending: Sending = {}) => {
    const { status, body } = await server.send(path, { cookie, ...sending });
    return { status, main: /<main[\s\S]*<\/main>/.exec(body)![0] };
  };

  it("shows the message of a request that can't be answered", () => {
    const thrown = { status: 400, statusText: "", internal: false, data: "The list is too long." };
    expect(errorTexts(thrown)).toEqual({
      status: 400,
      title: "This request can't be answered",
      text: "The list is too long.",
    });
  });

  it("shows what was not found", async () => {
    const { status, main } = await open("/app/qr-list/bulk/no-such-result");
    expect(status).toBe(404);
    expect(main).toContain("Oops. Looks like the page");
    expect(main).toContain("This bulk action has expired. Select the codes again in the QR List.");
  });

  it.each(["/app/qr-list", "/app/webhooks"])(
    "leaves %s as a link of the breadcrumb",
    async (list) => {
      const { status, body } = await server.send(`${list}/99999999`, { cookie });
      expect(status).toBe(404);
      const breadcrumb = /<nav aria-label="Breadcrumb">.*?<\/nav>/s.exec(body)![0];
      expect(breadcrumb).toContain(`href="${list}"`);
      expect(breadcrumb).not.toContain("aria-current");
    },
  );

  it.each(["/app/faq", "/app/qr-list/1/qr.png", "/api/openapi.json", "/nothing-here"])(
    "says which methods there are at %s, which takes no form",
    async (path) => {
      const { status, headers } = await server.send(path, { cookie, method: "POST", body: {} });
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    },
  );

  it("shows no message of the router", async () => {
    const { status, main } = await open("/app/faq", { method: "POST", body: {} });
    expect(status).toBe(405);
    expect(main).toContain("Please go back and try again.");
    expect(main).not.toContain("routes/app.$");
  });

  it.each([
    ["conflict", 409],
    ["invalid", 422],
  ] as const)("shows the message when a screen throws '%s'", async (reason, status) => {
    const loader = screenRoute(() => Promise.reject(new DomainError(reason, "It is deleted.")));
    const thrown = await loader({} as LoaderFunctionArgs).catch((response: Response) => response);
    const error = new ErrorResponseImpl(thrown.status, thrown.statusText, await thrown.text());
    expect(errorTexts(error)).toEqual({
      status,
      title: "This request can't be answered",
      text: "It is deleted.",
    });
  });
});
