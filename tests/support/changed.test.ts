import { expect, test } from "vitest";
import { concernedTests } from "./changed.js";

const candidates = new Map([
  ["tests/browser/groups.spec.ts", 'page.goto("/app/machine-groups")'],
  ["tests/browser/list.spec.ts", 'page.goto("/app/qr-list")'],
  ["tests/http/groups.test.ts", 'open("/app/machine-groups/1/delete")'],
  ["tests/http/archive.test.ts", 'open("/app/qr-generation/1/archive.zip")'],
]);
const chosen = (...changed: string[]) => concernedTests(changed, candidates);

test("a changed route runs the tests that name its address", () => {
  expect(chosen("app/routes/app.machine-groups_.$groupId/route.tsx")).toEqual([
    "tests/browser/groups.spec.ts",
    "tests/http/groups.test.ts",
  ]);
  expect(chosen("app/routes/app.qr-generation_.$generationId.archive[.]zip/route.ts")).toEqual([
    "tests/http/archive.test.ts",
  ]);
});

test("a changed component of a feature runs everything", () => {
  expect(chosen("app/features/machines/group-list.tsx")).toEqual([...candidates.keys()]);
});

test("a changed domain function runs all HTTP tests and no browser", () => {
  expect(chosen("app/features/machines/groups.server.ts")).toEqual([
    "tests/http/groups.test.ts",
    "tests/http/archive.test.ts",
  ]);
});

test("a changed spec runs alone", () => {
  expect(chosen("tests/browser/list.spec.ts", "README.md")).toEqual(["tests/browser/list.spec.ts"]);
});

test("a changed helper of the tests runs everything", () => {
  expect(chosen("tests/support/server.ts")).toEqual([...candidates.keys()]);
});
