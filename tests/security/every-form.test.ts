import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { unpackFields } from "../../app/routes/login/restored-form.server";
import { allForms, intentName, routeOf, type ScreenForm } from "../support/action-cases/pages";
import { screenActionCases } from "../support/action-cases/screens";
import { hasMoreRules, intentOf, validatorOf } from "../support/action-cases/validators";
import { useWalkedServer, walkerOf } from "../support/action-cases/walk";
import { formsOf, type PageField } from "../support/html-forms";
import { naughtyStrings } from "../support/naughty-strings";
import { inSoak, isSoak } from "../support/repetitions";
import { addUser, type Answer, fingerprint, openSessionOf } from "../support/server";
import { accessMatrix } from "./access-matrix";

/** Properties of every form that a screen shows; the forms are read from the screens themselves. */
const { server, platform } = useWalkedServer();
let forms: ScreenForm[];
beforeAll(async () => {
  forms = await allForms(walkerOf(server, platform()));
});

/** Forms that stand for others in `npm test`: one of each route. */
const triedForms = (some: ScreenForm[]): ScreenForm[] =>
  isSoak ? some : [...new Map(some.map((form) => [form.route, form])).values()];

const nameOf = ({ method, page, action, intents }: ScreenForm) =>
  `${page}: ${method} ${action} ${intents.join()}`;

/** The fields of the two forms that create codes, one for the other. */
const otherName: Record<string, string> = {
  promotionName: "name",
  name: "promotionName",
  discount: "discount_value",
  discount_value: "discount",
  num_codes: "",
};

/** Forms of the message that follows the other ones of their page. */
const inMessages = [
  "routes/app.qr-generation_.$generationId undo",
  "routes/app.qr-list_.$promotionId undo",
];

/** Buttons that only change their form. */
const changesForm = ["search-machines", "select-all", "unselect-all"];

describe("the forms of all screens", () => {
  it("are those of the walk through all actions", () => {
    const actionCases = Object.entries(screenActionCases).flatMap(([route, actions]) =>
      Object.entries(actions)
        .filter(([, { isRefused }]) => !isRefused)
        .map(([name]) => `${route} ${name.split(": ")[0]!.replace(/^:.*/, "")}`),
    );
    const shown = forms
      .filter(({ method }) => method === "post")
      .flatMap(({ route, intents, fields }) => {
        const hidden = fields.find(({ name }) => name === "intent")?.value;
        return intents.map((intent) => `${route} ${intentName(hidden ?? intent)}`);
      })
      .filter((name) => !changesForm.some((button) => name.endsWith(` ${button}`)));
    expect([...new Set([...shown, ...inMessages])].sort()).toEqual(
      [...new Set(actionCases)].sort(),
    );
  });
});

/** A value that differs from the one that a field shows, as somebody would enter it. */
function filled({ name, type, value, options }: PageField): string {
  if (type === "select") return options.find((option) => option !== value) ?? value;
  if (type === "password") return "canary of a password";
  return `a "typed" <${name}> & 'kept'`;
}

/** Fills in a whole form: other boxes are ticked, other options are chosen. */
function fill({ fields }: Pick<ScreenForm, "fields">): [string, string][] {
  const radios = new Map<string, string>();
  for (const { type, name, value, isChecked } of fields)
    if (type === "radio" && !isChecked) radios.set(name, value);
  return fields.flatMap((field): [string, string][] => {
    const { name, type, value, isChecked } = field;
    if (type === "hidden") return [[name, value]];
    if (type === "checkbox") return isChecked ? [] : [[name, value]];
    if (type === "radio") return radios.get(name) === value ? [[name, value]] : [];
    return type === "file" ? [] : [[name, filled(field)]];
  });
}

const isSecret = (name: string) => /password|credential|^code$/i.test(name);

/** The fields of a form that people fill in, as a browser would send them. */
function entered({ fields, sent }: Pick<ScreenForm, "fields" | "sent">): [string, string][] {
  const hidden = new Set(fields.filter(({ type }) => type === "hidden").map(({ name }) => name));
  return sent.filter(([name]) => !hidden.has(name) && !isSecret(name));
}

inSoak(describe)("a form that changes more than the own account", () => {
  it("is refused to viewers and changes nothing", async () => {
    const { email } = await addUser("viewer@example.com", "viewer");
    const cookie = await openSessionOf(email);
    const refused = forms.filter(
      ({ method, route }) =>
        method === "post" && ["user", "admin"].includes(accessMatrix[route]!.action),
    );
    expect(refused.length).toBeGreaterThan(50);
    const before = await fingerprint();
    for (const form of refused)
      for (const intent of form.intents) {
        const body: [string, string][] = [...form.sent, ["intent", intent]];
        const { status } = await server.send(form.action, { method: "POST", body, cookie });
        expect(status, `${nameOf(form)} ${intent}`).toBe(403);
      }
    expect(await fingerprint()).toBe(before);
  });
});

describe("a form that is sent after the session has ended", () => {
  const isProtected = ({ route }: ScreenForm) =>
    ["viewer", "user", "admin"].includes(accessMatrix[route]!.action) ||
    (accessMatrix[route]!.action === "none" && accessMatrix[route]!.loader !== "anyone");

  it("comes back as it was filled", { timeout: 120_000 }, async () => {
    const posts = forms.filter((form) => form.method === "post" && isProtected(form));
    expect(posts.length).toBeGreaterThan(60);
    const lost: string[] = [];
    for (const form of triedForms(posts)) {
      const before = fill(form);
      const sent = { ...form, sent: before };
      if (entered(sent).length === 0 || form.isMultipart) continue;
      const body: [string, string][] = [...before, ["intent", form.intents[0] ?? ""]];
      const moved = await server.send(form.action, { method: "POST", body });
      if (moved.status !== 307) {
        lost.push(`${nameOf(form)}: ${moved.status}`);
        continue;
      }
      const signIn = await server.send(moved.headers.location!, { method: "POST", body });
      expect(signIn.body, nameOf(form)).not.toContain("canary of a password");
      const [login] = formsOf(signIn.body, "/login");
      const restored = login!.fields.find(({ name }) => name === "restored")!.value;
      const { searchParams } = new URL(moved.headers.location!, server.origin);
      let shown = await server.send(searchParams.get("returnTo")!, {
        method: "POST",
        cookie: form.cookie,
        body: [...unpackFields(restored), ["intent", "restore"]],
      });
      // A choice that is kept in a cookie is made at once.
      if (shown.status === 303) {
        const cookie = `${form.cookie}; ${shown.headers["set-cookie"]?.[0]?.split(";")[0]}`;
        shown = await server.send(shown.headers.location!, { cookie });
      }
      const after = formsOf(shown.body, form.page).find(
        (each) =>
          each.method === "post" &&
          routeOf(each.action) === form.route &&
          // The tab of the other form leads to that one.
          each.intents.at(-1) === form.intents.at(-1)!.replace("switch", "create"),
      );
      const isSwitch = form.intents[0] === "switch";
      const wanted = entered(sent).map(([name, value]): [string, string] => [
        isSwitch ? (otherName[name] ?? name) : name,
        value,
      ]);
      const [was, is] = [wanted, after ? entered(after) : []].map((fields) =>
        fields.filter(([name, value]) => name && value).sort(),
      );
      try {
        expect(is, nameOf(form)).toEqual(was);
      } catch {
        lost.push(
          `${nameOf(form)}: ${shown.status} ${JSON.stringify(was)} became ${JSON.stringify(is)}`.slice(
            0,
            700,
          ),
        );
      }
    }
    expect(lost).toEqual([]);
  });

  it("does nothing while it comes back, and leads back to its page where it holds nothing", async () => {
    const before = await fingerprint();
    for (const form of forms.filter((form) => form.method === "post" && isProtected(form))) {
      const body: [string, string][] = [...fill(form), ["intent", form.intents[0] ?? ""]];
      const headers = { Referer: server.origin + form.page };
      const moved = await server.send(form.action, { method: "POST", body, headers });
      const { searchParams } = new URL(moved.headers.location!, server.origin);
      const back = moved.status === 307 ? form.action : form.page;
      expect(searchParams.get("returnTo"), nameOf(form)).toBe(back);
    }
    expect(await fingerprint()).toBe(before);
  });

  it("is in the address that follows, where it is a search, a filter or a selection", async () => {
    for (const form of forms.filter((form) => form.method === "get" && isProtected(form))) {
      const query = new URLSearchParams(fill(form));
      const address = form.action.split("?")[0]! + (query.size > 0 ? `?${query}` : "");
      const moved = await server.send(address);
      const { searchParams } = new URL(moved.headers.location!, server.origin);
      // The sign-in for a file leads to the page that offers it.
      const isFile = /\.\w+\?/.test(address);
      const back = isFile ? expect.stringMatching(/^[^.?]+(\?|$)/) : address;
      expect(searchParams.get("returnTo"), nameOf(form)).toEqual(back);
    }
  });
});

describe("a button without fields that is refused", () => {
  /** The forms of a page, as they are filled. */
  const filledForms = ({ body }: Answer, page: string) =>
    formsOf(body, page).map(
      (form) => `${nameOf({ ...form, page } as ScreenForm)} ${entered(form)}`,
    );

  it("says why on every page, and leaves the fields of the other forms as they were", async () => {
    const hasField = (form: ScreenForm, field: string) =>
      form.fields.some(({ name }) => name === field);
    const buttons = forms.filter(
      (form) =>
        form.action === form.page &&
        hasField(form, "idempotency_key") &&
        // Confirmations, which have no intent, and the saved views say it in their dialog.
        intentOf(form) !== "" &&
        form.route !== "routes/app.qr-list.views" &&
        entered(form).length === 0 &&
        !hasField(form, "__rvfInternalFormId"),
    );
    expect(buttons.length).toBeGreaterThan(10);
    for (const form of buttons) {
      const before = await server.send(form.page, { cookie: form.cookie });
      const sent = form.sent.filter(([name]) => name !== "idempotency_key");
      const body: [string, string][] = [
        ...sent,
        ["idempotency_key", "not plain"],
        ["intent", intentOf(form)],
      ];
      const answer = await server.send(form.action, { method: "POST", cookie: form.cookie, body });
      expect(answer.status, nameOf(form)).toBe(422);
      expect(answer.body, nameOf(form)).toMatch(/<title>Error: /);
      const [messages] = /<section [^>]*id="messages".*?<\/section>/s.exec(answer.body)!;
      expect(messages, nameOf(form)).toMatch(/autofocus/i);
      expect(messages, nameOf(form)).toContain("The idempotency key");
      expect(filledForms(answer, form.page), nameOf(form)).toEqual(filledForms(before, form.page));
    }
  });
});

/** Values with which forms are sent that show none. */
const valid: Record<string, string> = {
  name: "Name",
  promotionName: "Name",
  title: "Title",
  discount: "10",
  discount_value: "10",
  num_codes: "2",
  expiration_date: "31/12/2099",
  url: "https://example.com/",
  code: "000000",
  recipients: "a@example.com",
  serials: "WALK-1",
  first_day: "01/01/2026",
  last_day: "02/01/2026",
  day: "01/01/2026",
  email: "somebody@example.com",
};

/** The fields of a form as somebody fills them in who makes no mistake. */
function completed({ fields, sent }: ScreenForm): [string, string][] {
  const names = [...new Set(fields.map(({ name }) => name))];
  return names.flatMap((name): [string, string][] => {
    if (name === "idempotency_key") return [[name, randomUUID()]];
    const shown = sent.filter(([field, value]) => field === name && value !== "");
    if (shown.length > 0) return shown;
    const field = fields.find((each) => each.name === name)!;
    const isChoice = ["radio", "checkbox"].includes(field.type);
    return [[name, isChoice ? field.value : (valid[name] ?? "")]];
  });
}

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("'", "&#x27;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** Returns what a browser with scripts would say about a form. */
async function browserMessages(form: ScreenForm, body: [string, string][]): Promise<string[]> {
  const posted = new FormData();
  for (const [name, value] of body) posted.append(name, value);
  const { error } = (await (await validatorOf(form))?.validate(posted)) ?? {};
  return Object.values(error?.fieldErrors ?? {});
}

let sent = 0;
/**
 * Sends a form, again if a busy machine asks for that. Each request comes from an address of its own, so that no limit
 * ends the test.
 */
async function send(form: ScreenForm, body: [string, string][]): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    const answer = await sendOnce(form, body);
    if (answer.status !== 503 || attempts === 3) return answer;
    await delay(1000 * Number(answer.headers["retry-after"]));
  }
}

function sendOnce(form: ScreenForm, body: [string, string][]) {
  sent += 1;
  const headers = { "X-Forwarded-For": `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` };
  const { cookie, method, action } = form;
  if (method === "post") return server.send(action, { method: "POST", body, cookie, headers });
  return server.send(`${action.split("?")[0]}?${new URLSearchParams(body)}`, { cookie, headers });
}

/** Reads a form again, whose version a change has moved on. */
async function reread(form: ScreenForm): Promise<void> {
  const { body } = await server.send(form.page, { cookie: form.cookie });
  const again = formsOf(body, form.page).find(
    ({ action, intents }) => action === form.action && intents.join() === form.intents.join(),
  );
  if (again) Object.assign(form, again);
}

/** Returns what is wrong with the answer to a form that has a text in one of its fields. */
async function failuresOf(form: ScreenForm, field: string, text: string): Promise<string[]> {
  const others = completed(form).filter(([name]) => name !== field && name !== "intent");
  const body: [string, string][] = [...others, [field, text]];
  if (field !== "intent") body.push(["intent", intentOf(form)]);
  const messages = form.method === "post" ? await browserMessages(form, body) : [];
  const { status, body: page } = await send(form, body);
  if (status === 303 && form.fields.some(({ name }) => name === "version")) await reread(form);

  // A key that is not plain is refused before the fields are read.
  const isKey = field === "idempotency_key";
  const isRefused =
    status === 422 && (isKey || messages.every((message) => page.includes(escaped(message))));
  const isJudgedAlone = !isKey && !hasMoreRules(form);
  const failures = [
    status >= 500 && "it failed",
    messages.length > 0 && !isRefused && `browsers say ${messages.join()}`,
    messages.length === 0 &&
      status === 422 &&
      isJudgedAlone &&
      (await validatorOf(form)) &&
      "browsers say nothing",
  ].filter(Boolean);
  return failures.map(
    (failure) =>
      `${form.page}: ${form.method} ${form.action}, ${field} = ${JSON.stringify(text)}: ${status}, ${failure}`,
  );
}

/** The names of the fields of a form: typed ones, and those that are only chosen or hidden. */
function namesOf({ fields }: ScreenForm): { name: string; isTyped: boolean }[] {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  return [...types].map(([name, type]) => ({
    name,
    isTyped: !/hidden|radio|checkbox|select/.test(type),
  }));
}

it(
  "a naughty string in any field of any form breaks nothing, and is judged alike with and without scripts",
  { timeout: 7_200_000 },
  async () => {
    const failures: string[] = [];
    // Forms by GET come last: they open confirmations, of which the newest ten are kept.
    const inOrder = [...triedForms(forms)].sort((a, b) => b.method.localeCompare(a.method));
    let start = 0;
    const known = new Set<string>();
    for (const form of inOrder.filter(({ isMultipart }) => !isMultipart)) {
      await db()("rate_limits").delete();
      await db()("sessions").update({ password_checked_at: db().fn.now() });
      const names = namesOf(form);
      // Outside the soak each form gets one text in one of its fields.
      for (const { name, isTyped } of isSoak
        ? names
        : names.slice(start % names.length).slice(0, 1)) {
        start += 7;
        // Hidden and chosen fields of one name are read alike.
        const getsAll = isTyped || !known.has(name);
        known.add(name);
        const strings = getsAll ? naughtyStrings : everyNthOfAll(12, start);
        const newFailures: string[] = [];
        for (const text of isSoak ? strings : [strings[start % strings.length]!])
          newFailures.push(...(await failuresOf(form, name, text)));
        failures.push(...newFailures);
        // All strings take most of an hour: each form tells its failures as soon as it is through.
        if (isSoak) console.log(form.page, form.method, form.action, name, ...newFailures);
      }
    }
    expect(failures).toEqual([]);
  },
);

const everyNthOfAll = (n: number, start: number) =>
  naughtyStrings.filter((_, index) => index % n === start % n);
