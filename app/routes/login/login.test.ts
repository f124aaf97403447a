import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { greetingAt } from "./login-page";
import { packFields, unpackFields } from "./restored-form.server";

const pack = (text: string) => deflateRawSync(text).toString("base64url");

it.each([
  [3, "Good Night"],
  [4, "Good Morning"],
  [12, "Good Morning"],
  [13, "Good Day"],
  [16, "Good Day"],
  [17, "Good Evening"],
  [23, "Good Evening"],
  [0, "Good Night"],
])("greets in hour %i with %s", (hour, greeting) => {
  expect(greetingAt(hour)).toBe(greeting);
});

it("gives back what was typed, in order and with repeats, but no secret and no button", () => {
  const posted = new FormData();
  posted.append("name", "Summer <b>\u00e9\ud83c\udf89");
  posted.append("machines", "1");
  posted.append("machines", "2");
  posted.append("currentPassword", "hidden");
  posted.append("intent", "create");
  posted.append("photo", new File(["x"], "x.png"));
  expect(unpackFields(packFields(posted))).toEqual([
    ["name", "Summer <b>\u00e9\ud83c\udf89"],
    ["machines", "1"],
    ["machines", "2"],
  ]);
});

it.each([
  ["2,000 lines", [["lines", "0123456789ABCDEF0123456789ABCDEF012345\r\n".repeat(2_000)]]],
  [
    "2,000 machines, listed twice",
    Array<string[]>(4_000).fill(["machines", "VM-10431, the lobby"]),
  ],
])("gives back %s", (_name, fields) => {
  const posted = new FormData();
  for (const [name, value] of fields) posted.append(name!, value!);
  expect(unpackFields(packFields(posted))).toEqual(fields);
});

it("packs nothing of a form that does not fit beside email and password", () => {
  const posted = new FormData();
  posted.append("lines", randomBytes(195_000).toString("base64url"));
  expect(packFields(posted)).toBe("");
});

it.each([null, "", "{", "[]"])("takes nothing from %j", (packed) =>
  expect(unpackFields(packed)).toEqual([]),
);

it.each(["", "{", "null", "{}", '[1,[1,2],["a"],["a",{}]]', "[".repeat(70_000)])(
  "takes nothing from %j, packed",
  (text) => expect(unpackFields(pack(text))).toEqual([]),
);

it("takes nothing from a small text that unpacks to many megabytes", () => {
  expect(unpackFields(pack(JSON.stringify([["name", "a".repeat(3_000_000)]])))).toEqual([]);
});

it("takes nothing from a small text that unpacks to more fields than a form has", () => {
  const fields = (count: number) => Array<[string, string]>(count).fill(["", ""]);
  expect(unpackFields(pack(JSON.stringify(fields(5_000))))).toHaveLength(5_000);
  expect(unpackFields(pack(JSON.stringify(fields(5_001))))).toEqual([]);
});
