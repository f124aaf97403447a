import { beforeAll, describe, expect, it } from "vitest";
import { unpackFields } from "../../app/routes/login/login-page";
import { codeActionCases } from "../support/action-cases/codes";
import { allForms, intentName, routeOf, type ScreenForm } from "../support/action-cases/pages";
import { peopleActionCases } from "../support/action-cases/people";
import { settingActionCases } from "../support/action-cases/settings";
import { useWalkedServer, walkerOf, type Walker } from "../support/action-cases/walk";
import { formsOf, type PageField } from "../support/html-forms";
import { fingerprint } from "../support/server";
import { accessMatrix } from "./access-matrix";

/** Properties of every form that a screen shows; the forms are read from the screens themselves. */
const { server, platform } = useWalkedServer();
let walker: Walker;
let forms: ScreenForm[];
beforeAll(async () => {
  walker = walkerOf(server, platform());
  forms = await allForms(walker);
});

const nameOf = ({ method, page, action, intents }: ScreenForm) =>
  `${page}: ${method} ${action} ${intents.join()}`;

/** The fields of the two forms that create codes, one for the other. */
const otherName: Record<string, string> = {
  ...{ promotionName: "name", name: "promotionName" },
  ...{ discount: "discount_value", discount_value: "discount", num_codes: "" },
};

/** Buttons that only change their form. */
const changesForm = ["search-machines", "select-all", "unselect-all"];

describe("the forms of all screens", () => {
  it("are those of the walk through all actions", () => {
    const actionCases = Object.entries({
      ...peopleActionCases,
      ...codeActionCases,
      ...settingActionCases,
    }).flatMap(([route, actions]) =>
      Object.keys(actions).map((name) => `${route} ${name.split(": ")[0]!.replace(/^:.*/, "")}`),
    );
    const shown = forms
      .filter(({ method }) => method === "post")
      .flatMap(({ route, intents, fields }) => {
        const hidden = fields.find(({ name }) => name === "intent")?.value;
        return intents.map((intent) => `${route} ${intentName(hidden ?? intent)}`);
      })
      .filter((name) => !changesForm.some((button) => name.endsWith(` ${button}`)));
    expect([...new Set(shown)].sort()).toEqual([...new Set(actionCases)].sort());
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

describe("a form that is sent after the session has ended", () => {
  const isProtected = ({ route }: ScreenForm) =>
    ["user", "admin"].includes(accessMatrix[route]!.action) ||
    (accessMatrix[route]!.action === "none" && accessMatrix[route]!.loader !== "anyone");

  it("comes back as it was filled", { timeout: 120_000 }, async () => {
    const posts = forms.filter((form) => form.method === "post" && isProtected(form));
    expect(posts.length).toBeGreaterThan(60);
    const lost: string[] = [];
    for (const form of posts) {
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
        ...{ method: "POST", cookie: form.cookie },
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
      expect(searchParams.get("returnTo"), nameOf(form)).toBe(address);
    }
  });
});
