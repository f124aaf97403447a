import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import { formatCode } from "../../app/format/promotion";
import { isForEditors } from "../../app/http/api.server";
import { documentedOperations } from "../../app/http/openapi.server";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { makeKey, request } from "../factories/redemptions";
import { routeOf } from "../support/action-cases/pages";
import { formsOf } from "../support/html-forms";
import { addUser, issueTokenOf, openSessionOf, useServer } from "../support/server";
import { sessionOf } from "../support/session";
import { accessMatrix, callsOfUsers, isApiRow, pathOf } from "./access-matrix";

/** Tests of texts that viewers read, find and never see (RULES H23). */
const server = useServer();
const admin = sessionOf(server);
const viewer = sessionOf(server);
const tokens = { admin: "", viewer: "" };

// No other text has five of these characters in a row.
const single = "WKZPXHQNVTRM";
const ofGeneration = "QXVHZMKWPTNR";
const replaced = "TZNWQKHVXPRM";
const attempted = "ZRKQWNXH";
const codes = [single, ofGeneration, replaced, attempted];
/** Values of the parameters of routes and calls. */
const params: Record<string, string> = {};

beforeAll(async () => {
  await addUser("viewer@example.com", "viewer");
  admin.cookie = await openSessionOf();
  viewer.cookie = await openSessionOf("viewer@example.com");
  tokens.admin = await issueTokenOf();
  tokens.viewer = await issueTokenOf("viewer@example.com");
  await insertSite();
});

/** Shows codes wherever a screen, a file or a call has some. */
async function insertSite(): Promise<void> {
  const machine = await insertMachine({ serial_number: "VM-1" });
  const at = { machine_id: machine.id };
  const promotionId = await insertPromotion({ name: "Espresso", code: single });
  await assign("promotions", promotionId, at);
  const generationId = await insertGeneration({ name: "Festival" });
  const [codeId] = await insertCodes(generationId, 1, { name: "Festival", code: ofGeneration });
  await assign("mass_generations", generationId, at);
  const used = { is_single_use: true, max_uses: 1, period_uses: 1, activation_count: 1 };
  const replacedId = await insertPromotion({ name: "Latte", code: replaced, ...used });
  await assign("promotions", replacedId, at);
  const groupId = await insertGroup([machine.id]);
  await assign("promotions", promotionId, { group_id: groupId });
  const { secret } = await makeKey();
  for (const code of [...codes, single])
    await server.redeem(secret, request({ code, serialNumber: "VM-1" }));
  await db()("promotions").where({ id: promotionId }).update({ is_active: false });
  await server.redeem(secret, request({ code: single, serialNumber: "VM-1" }));
  const made = await admin.post("/app/check", { intent: "replace", id: replacedId });
  const replacementId = /qr-list\/(\d+)/.exec(made.headers.location!)![1]!;
  await admin.post("/app/qr-list/views?type=single", { intent: "save", name: "Shared" });
  const shared = { is_shared: true, parameters: `text=${single.slice(0, 8)}` };
  await db()("saved_views").update(shared);
  Object.assign(params, {
    promotionId,
    generationId,
    codeId,
    groupId,
    replacedId,
    replacementId,
    massGenerationId: generationId,
    serialNumber: "VM-1",
  });
  // Actions from before somebody became a viewer stand among their own on the profile.
  const message = `"Espresso" (${formatCode(single)}) was redeemed 25 times in 60 minutes`;
  const [alert] = await db()("alerts")
    .insert({ kind: "code_burst", subject: "promotion:1", message, button: {}, is_mailed: false })
    .returning<{ id: string }[]>("id");
  const dismissed = { alert: { from: null, to: message } };
  const action = (name: string, subject_id: string, details = {}) => ({
    ...{ actor_name: "viewer@example.com", action: name, details, subject_id, covered: 1 },
    subject_type: name.split(".")[0],
    actor_id: db()("users").select("id").where({ email: "viewer@example.com" }),
  });
  await db()("audit_log").insert([
    action("promotion.edited", promotionId),
    action("import.confirmed", "1"),
    action("webhook.edited", "1"),
    action("alert.dismissed", alert!.id, dismissed),
    action("alert.dismissed", "999", dismissed),
  ]);
}

/** The links and forms of a page, each with what answers it. */
function offersOf(page: string, html: string) {
  const links = [...html.matchAll(/href="(\/app\/[^"#]*)/g)].map(([, to]) => ({
    ...{ page, to: to!, by: "loader" as const },
  }));
  const forms = formsOf(html, page).map(({ method, action }) => ({
    ...{ page, to: action, by: method === "post" ? ("action" as const) : ("loader" as const) },
  }));
  return [...links, ...forms];
}

/** Whether a viewer may not do what a page offers. */
function isRefused({ to, by }: { to: string; by: "loader" | "action" }): boolean {
  if (/^\/app\/(support|faq)$/.test(to)) return false;
  return !["viewer", "anyone", "visitor"].includes(accessMatrix[routeOf(to)]![by]!);
}

/** Addresses of screens and files that viewers may open, and further states of them. */
function readable(): string[] {
  const rows = Object.entries(accessMatrix).filter(
    ([id, { loader }]) =>
      loader === "viewer" && /^routes\/app\./.test(id) && !/\.\$$|photos|second-factor/.test(id),
  );
  return [
    ...rows.map(([id]) => pathOf(id, (name) => params[name] ?? "1")),
    ...["codeId", "replacedId", "replacementId"].map((name) => `/app/qr-list/${params[name]}`),
    ...["view=campaigns", "text=Espresso", "sort=name"].map((search) => `/app/qr-list?${search}`),
    "/app/qr-list/export.csv?view=campaigns",
    `/app/qr-list/export.csv?ticked=1&ids=${params.promotionId}`,
    ...["Espresso", "Festival"].map((text) => `/app/search?q=${text}`),
    "/app/transactions?promotion=Espresso",
    "/app/transactions/refused?machine=VM-1",
    ...["promotion", "generation"].map((by) => `/app/reports?by=${by}`),
    "/app/reports/export.csv?by=promotion",
  ];
}

/**
 * Fetches whatever viewers may read as somebody, and returns the bodies by their addresses. An admin gets the data of one
 * screen without its page.
 */
async function crawl(role: "admin" | "viewer"): Promise<Map<string, string>> {
  const { cookie } = { admin, viewer }[role];
  const bodies = new Map<string, string>();
  for (const address of readable()) {
    const url = new URL(address, server.origin);
    const hasData = !address.includes(".csv") && (role === "viewer" || address === "/app/qr-list");
    const data = hasData ? [routeOf(address)] : [];
    for (const routeId of ["", ...data]) {
      if (routeId) url.searchParams.set("_data", routeId);
      const answer = await server.send(url.pathname + url.search, { cookie });
      expect(answer.status, `${url}: ${answer.body}`).toBeLessThan(400);
      bodies.set(url.pathname + url.search, answer.body);
    }
  }
  for (const { method, path } of documentedOperations()) {
    if (method !== "GET" || callsOfUsers.includes(`GET ${path}`) || !path.startsWith("/api/"))
      continue;
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "1");
    const answer = await server.call("GET", address, { token: tokens[role] });
    expect(answer.status, address).toBe(200);
    bodies.set(address, answer.body);
  }
  return bodies;
}

/** Whether a text has five characters in a row of one of the codes, with or without dashes. */
function showsCode(text: string): boolean {
  const bare = text.replaceAll("-", "");
  return codes.some((code) =>
    Array.from({ length: code.length - 4 }, (_, at) => code.slice(at, at + 5)).some((part) =>
      bare.includes(part),
    ),
  );
}

describe("whatever a viewer may read", () => {
  let bodies: Map<string, string>;
  beforeAll(async () => {
    bodies = await crawl("viewer");
  }, 60_000);

  it("offers nothing that is refused", () => {
    const pages = [...bodies].filter(([address]) => !/_data|\.csv|^\/api/.test(address));
    const offered = pages.flatMap(([page, html]) => offersOf(page, html));
    expect(offered.length).toBeGreaterThan(500);
    expect(offered.filter(isRefused)).toEqual([]);
  });

  it.each([
    ["/app/webhooks/1/remove", 403],
    ["/app/reports/mailing/1/edit", 403],
    ["/app/imports/1/unknown", 404],
    ["/app/settings/unknown", 404],
  ])("offers nothing that is refused at %s, which is answered %s", async (page, status) => {
    const answer = await server.send(page, { cookie: viewer.cookie });
    expect(answer.status).toBe(status);
    expect(offersOf(page, answer.body).filter(isRefused)).toEqual([]);
  });

  it("shows no more of a code than its last four characters", { timeout: 60_000 }, async () => {
    const shown = [...(await crawl("admin"))].filter(([, body]) => showsCode(body));
    // Proves that the crawl comes by codes: an admin sees them all over.
    expect(shown.map(([address]) => address.replace(/\d+/g, "N"))).toEqual(
      expect.arrayContaining([
        "/app/dashboard",
        "/app/qr-list",
        "/app/qr-list/N",
        "/app/qr-generation/N",
        "/app/machines/VM-N",
        "/app/machine-groups/N",
        "/app/search?q=Espresso",
        "/app/transactions",
        "/app/transactions/refused",
        "/app/reports?by=promotion",
        "/app/qr-list/export.csv",
        "/app/transactions/export.csv",
        "/app/reports/export.csv?by=promotion",
        "/app/qr-list?_data=routes%NFapp.qr-list",
        "/api/promotions",
        "/api/promotion/N",
      ]),
    );
    const leaks = [...bodies].filter(([, body]) => showsCode(body));
    expect(leaks.map(([address]) => address)).toEqual([]);
    expect(bodies.get("/app/qr-list")).toContain("••••-••••-VTRM");
    expect(bodies.get("/app/qr-list/export.csv")).toContain("••••-••••-VTRM");
    expect(bodies.get("/api/promotions")).toContain('"••••••••VTRM"');
  });

  it("shows a code that the viewer entered, and no other that looks like it", async () => {
    const found = await viewer.text(`/app/check?code=${single}`);
    expect(found).toContain("WKZP-XHQN-VTRM");
    expect(found).not.toContain("Reactivate");
    // U and V look alike.
    const similar = await viewer.page(`/app/check?code=${single.replace("V", "U")}`);
    expect(similar).not.toContain("WKZP-XHQN-VTRM");
    expect(await admin.page(`/app/check?code=${single.replace("V", "U")}`)).toContain(
      "WKZP-XHQN-VTRM",
    );
  });

  it("leads to the transactions of a code by its last characters", async () => {
    const page = await viewer.page(`/app/qr-list/${params.promotionId}`);
    expect(page).toContain("/app/transactions?promotion=VTRM");
    expect(await viewer.text("/app/transactions?promotion=VTRM")).toContain("Espresso");
  });

  it("says that codes are masked", async () => {
    for (const path of ["/app/qr-list", "/app/transactions", "/app/dashboard"]) {
      expect(await viewer.text(path), path).toContain("Codes are masked for viewers.");
      expect(await admin.text(path), path).not.toContain("Codes are masked");
    }
  });

  it("offers no saved view that looks for a part of a code, and none to save", async () => {
    const list = await viewer.text("/app/qr-list?type=single");
    expect(list).not.toContain("Shared");
    expect(list).not.toContain("Save this view");
    await db()("saved_views").update({ parameters: "type=mass" });
    expect(await viewer.text("/app/qr-list?type=single")).toContain("Shared");
  });
});

/** Lists, with the text that shows that they found the code. */
const lists: [name: string, address: (text: string) => string, found: RegExp][] = [
  ["the QR List", (text) => `/app/qr-list?text=${text}`, />Espresso</],
  ["the campaigns", (text) => `/app/qr-list?view=campaigns&text=${text}`, />Espresso</],
  ["the export of codes", (text) => `/app/qr-list/export.csv?text=${text}`, /Espresso/],
  ["transactions", (text) => `/app/transactions?promotion=${text}`, />Espresso</],
  ["their export", (text) => `/app/transactions/export.csv?promotion=${text}`, /Espresso/],
  ["refused attempts", (text) => `/app/transactions/refused?code=${text}`, />Espresso</],
  ["the API", (text) => `/api/promotions?text=${text}`, /"Espresso"/],
];

describe("a search of a viewer", () => {
  const search = async ([, address, found]: (typeof lists)[number], text: string) => {
    const path = address(encodeURIComponent(text));
    const { body } = path.startsWith("/api")
      ? await server.call("GET", path, { token: tokens.viewer })
      : await viewer.get(path);
    return found.test(body);
  };

  it.each(lists)(
    "in %s finds a code by the whole of it or its end, and by no part",
    async (...list) => {
      expect(await search(list, single)).toBe(true);
      expect(await search(list, "VTRM")).toBe(true);
      expect(await search(list, single.slice(0, 4))).toBe(false);
      expect(await search(list, single.slice(1))).toBe(false);
    },
  );

  it.each(["wkzp xhqn vtrm", "vt-rm", "••••-••••-VTRM", "pres"])("finds it by %s", async (text) => {
    expect(await search(lists[0]!, text)).toBe(true);
  });

  it.each(["WK", "TRM", "NVTRM", "XHQN", "WKZP-XHQN"])("finds nothing by %s", async (text) => {
    expect(await search(lists[0]!, text)).toBe(false);
  });
});

describe("the search in the top bar", () => {
  const search = (text: string) => viewer.get(`/app/search?q=${text}`);

  it("leads a viewer to a whole code, and finds its last characters", async () => {
    const page = `/app/qr-list/${params.promotionId}`;
    expect((await search(single)).headers.location).toBe(page);
    expect((await search("VTRM")).body).toContain(page);
    expect((await search("PTNR")).body).toContain(`/app/qr-generation/${params.generationId}`);
  });

  it("finds a viewer nothing by another part", async () => {
    for (const text of [single.slice(0, 4), single.slice(-5), ofGeneration.slice(1)])
      expect((await search(text)).body, text).toContain("Nothing found");
  });
});

describe("a viewer", () => {
  it("may make exactly the calls that read masked codes or are about the own account", async () => {
    for (const { method, path, scope } of documentedOperations()) {
      if (scope === "public" || scope === "redeem" || (scope === "account" && method !== "GET"))
        continue;
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "1");
      const answer = await server.call(method, address, { token: tokens.viewer });
      const isRefused = callsOfUsers.includes(`${method} ${path}`) || scope === "users";
      expect(answer.status === 403, `${method} ${path}: ${answer.status}`).toBe(isRefused);
      if (isRefused) expect(answer.json).toEqual({ error: expect.any(String) as string });
    }
  });

  it("is refused the reading calls that README names", () => {
    const refused = documentedOperations().filter(
      (operation) => operation.method === "GET" && isForEditors(operation),
    );
    const names: Record<string, string> = {
      promotion: "QR codes",
      download_archive: "archives",
      test_codes: "test codes",
    };
    const nouns = refused.map(({ path }) => path.split("/")[2]!).map((noun) => names[noun] ?? noun);
    const [, list] = /gets 403 for\s(.+?) and whatever\s/s.exec(readFileSync("README.md", "utf8"))!;
    expect(list!.split(/,\s+| and /).toSorted()).toEqual([...new Set(nouns)].toSorted());
  });

  it.each([
    "qr-list/{promotionId}/qr.png",
    "qr-list/{promotionId}/qr.svg",
    "qr-list/{promotionId}/labels.pdf",
    "qr-list/{promotionId}/download",
    "qr-generation/{generationId}/archive.zip",
    "qr-generation/{generationId}/labels.svg",
    "qr-list/qr-codes.zip?ids={promotionId}",
    "qr-list/bulk?ids={promotionId}&intent=delete",
    "qr-generation",
    "profile/api-key",
    "qr-list/views",
    "users",
  ])("is refused /app/%s", async (path) => {
    const address = `/app/${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)}`;
    const answer = await viewer.get(address);
    expect(answer.status).toBe(403);
    expect(showsCode(answer.body)).toBe(false);
    expect((await admin.get(address)).status).not.toBe(403);
  });

  it("changes the own profile and the look of the own browser", async () => {
    const { body } = await viewer.get("/app/profile?edit=1");
    const version = /name="version" value="(\d+)"/.exec(body)![1]!;
    const names = { firstName: "Vera", lastName: "", phone: "", company: "" };
    expect((await viewer.post("/app/profile", { version, ...names })).status).toBe(303);
    expect(await viewer.text("/app/profile")).toMatch(/Vera[\s\S]*Role\s+Viewer/);
    expect((await viewer.post("/app/qr-list", { columns: "status" })).status).toBe(303);
    expect((await viewer.post("/preferences", { theme: "dark" })).status).toBe(303);
  });

  it("loses the own key, sessions and tokens on becoming one, and makes no new key", async () => {
    const user = await addUser("becomes@example.com");
    const session = await openSessionOf(user.email);
    const token = await issueTokenOf(user.email);
    await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor: user });
    const key = await revealApiKey({ actor: user });
    const status = async (bearer: string) =>
      (await server.call("GET", "/auth/me", { token: bearer })).status;
    expect([await status(key), await status(token)]).toEqual([200, 200]);
    const data = { role: "viewer" };
    const edit = await server.call("PUT", `/users/${user.id}`, {
      token: tokens.admin,
      body: { data },
    });
    expect([edit.status, edit.json.role]).toEqual([200, "viewer"]);
    expect([await status(key), await status(token)]).toEqual([401, 401]);
    expect((await server.send("/app/support", { cookie: session })).status).toBe(302);
    await expect(
      regenerateApiKey({ scopes: ["read"], days: 1 }, { actor: user }),
    ).rejects.toMatchObject({ reason: "forbidden" });
  });
});

it("rejects a role that is none, and names those that are", async () => {
  const body = { data: { email: "new@example.com", role: "owner" } };
  const answer = await server.call("POST", "/users", { token: tokens.admin, body });
  expect(answer.json.fields).toEqual({ role: "role must be admin, user or viewer" });
});

it("has rows of screens among what viewers read", () => {
  const rows = Object.entries(accessMatrix).filter(([id]) => !isApiRow(id));
  expect(rows.filter(([, { loader }]) => loader === "viewer").length).toBeGreaterThan(25);
});
