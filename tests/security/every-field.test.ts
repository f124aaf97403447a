import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { allForms, type ScreenForm } from "../support/action-cases/pages";
import { hasMoreRules, intentOf, validatorOf } from "../support/action-cases/validators";
import { useWalkedServer, walkerOf } from "../support/action-cases/walk";
import { formsOf } from "../support/html-forms";
import type { Answer } from "../support/server";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { isSoak } from "../support/repetitions";

/** Naughty strings in every field of every form that a screen shows. */
const { server, platform } = useWalkedServer();
let forms: ScreenForm[];
beforeAll(async () => {
  forms = await allForms(walkerOf(server, platform()));
});

/** Values with which forms are sent that show none. */
const valid: Record<string, string> = {
  ...{ name: "Name", promotionName: "Name", title: "Title", discount: "10", discount_value: "10" },
  ...{ num_codes: "2", expiration_date: "31/12/2099", url: "https://example.com/", code: "000000" },
  ...{ recipients: "a@example.com", serials: "WALK-1", first_day: "01/01/2026" },
  ...{ last_day: "02/01/2026", day: "01/01/2026", email: "somebody@example.com" },
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
async function problemsOf(form: ScreenForm, field: string, text: string): Promise<string[]> {
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
  const problems = [
    status >= 500 && "it failed",
    messages.length > 0 && !isRefused && `browsers say ${messages.join()}`,
    messages.length === 0 &&
      status === 422 &&
      isJudgedAlone &&
      (await validatorOf(form)) &&
      "browsers say nothing",
  ].filter(Boolean);
  return problems.map(
    (problem) =>
      `${form.page}: ${form.method} ${form.action}, ${field} = ${JSON.stringify(text)}: ${status}, ${problem}`,
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
    const problems: string[] = [];
    // Forms by GET come last: they open confirmations, of which the newest ten are kept.
    const inOrder = [...forms].sort((a, b) => b.method.localeCompare(a.method));
    let start = 0;
    const known = new Set<string>();
    for (const form of inOrder.filter(({ isMultipart }) => !isMultipart)) {
      await db()("rate_limits").delete();
      await db()("sessions").update({ password_checked_at: db().fn.now() });
      for (const { name, isTyped } of namesOf(form)) {
        start += 7;
        // Hidden and chosen fields of one name are read alike.
        const getsAll = isTyped || !known.has(name);
        known.add(name);
        const strings = getsAll ? naughtyStrings : everyNthOfAll(12, start);
        const found: string[] = [];
        for (const text of everyNth(getsAll ? 300 : 43, strings, start))
          found.push(...(await problemsOf(form, name, text)));
        problems.push(...found);
        // All strings take most of an hour: each form tells its problems as soon as it is through.
        if (isSoak) console.log(form.page, form.method, form.action, name, ...found);
      }
    }
    expect(problems).toEqual([]);
  },
);

const everyNthOfAll = (n: number, start: number) =>
  naughtyStrings.filter((_, index) => index % n === start % n);
