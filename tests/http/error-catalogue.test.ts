import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertPromotion } from "../factories/promotions";
import { openSessionOf, useServer } from "../support/server";

/** The messages of core §8, by the test that sees them on a screen. */
const catalogue: Record<string, string[]> = {
  "tests/browser/row-actions.spec.ts": [
    "Error deactivating promotion",
    "Error deleting promotion",
    "Promotion successfully deactivated",
    "Promotion successfully deleted",
  ],
  "tests/browser/manage-machines.spec.ts": [
    "Error removing machine",
    "Error removing all machines",
    "Error adding machines",
    "Failed to load machines",
  ],
  "tests/browser/mass-generation.spec.ts": [
    "Error downloading archive",
    "Error generating QR codes",
    "QR code downloaded successfully",
    "Archive downloaded successfully",
    "Error deleting mass generation",
  ],
  "tests/browser/promotion.spec.ts": [
    "Received invalid data format from server. Using cached data if available.",
    "Error creating promotion",
    "Failed to download QR code",
    "Failed to fetch promotions: ",
  ],
  "tests/browser/list-filters.spec.ts": ["Network error. Using cached data."],
  "tests/browser/cut-line.spec.ts": [
    "Server is not available. Please check if server is running on port",
  ],
  "tests/browser/profile.spec.ts": ["Failed to update profile", "Failed to update avatar"],
  "tests/domain/http-platform.test.ts": ["Invalid data format received"],
  "tests/domain/promotion-api.test.ts": ["Error: Promotion not found"],
  "tests/http/account.test.ts": ["Profile updated"],
  "tests/http/dashboard.test.ts": ["Failed to load dashboard data"],
  "tests/http/machines-api.test.ts": [
    "Failed to refresh machines list",
    "Machine successfully removed",
    "All machines successfully unassigned",
    "Machines successfully added",
  ],
  "tests/http/machines.test.ts": ["Failed to load machines data"],
  "tests/http/mass-generation-journey.test.ts": [
    "QR codes generated successfully",
    "Mass Generation successfully deleted",
  ],
  "tests/http/profile.test.ts": [
    "Profile updated successfully",
    "Avatar updated successfully",
    "Failed to load user data",
  ],
  "tests/http/promotion-journey.test.ts": ["Promotion created successfully"],
  "tests/http/promotion-list.test.ts": ["Data refreshed successfully"],
  "tests/http/users.test.ts": ["Users created", "Users updated"],
};

const deletionFailure = 'Error deleting ${isMass ? "mass generation" : "promotion"}';

/** The source of messages that are made of parts. */
const madeOfParts: Record<string, string> = {
  "Error deleting promotion": deletionFailure,
  "Error deleting mass generation": deletionFailure,
  "Error removing machine": "Error removing ",
  "Machine successfully removed": "successfully removed",
  "Machines successfully added": "successfully added",
};

/** Messages that two screens write, each of them its own way to the same fault. */
const writtenTwice = [
  "Failed to load machines data",
  "Failed to refresh machines list",
  "Failed to update profile",
  "Data refreshed successfully",
];

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Returns the texts that the tests of a file look for: those of titles, of skipped tests and of `not` are none of them. */
function expectedTexts(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText();
      if (/\.(skip|todo|fixme|fails)\b|\.not\.\w+$/.test(callee)) return;
      if (/^(it|test|describe)\b/.test(callee) && !/\.each$/.test(callee)) {
        visit(node.expression);
        node.arguments.slice(1).forEach(visit);
        return;
      }
    }
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node))
      texts.push(node.getText().replaceAll("\\", ""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
  return texts;
}

describe("the error catalogue", () => {
  const sources = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
    .map((file) => read(path.join("app", file)));
  const entries = Object.entries(catalogue).flatMap(([test, messages]) =>
    messages.map((message) => ({ message, test })),
  );

  it.each(entries)("has '$message' in the product, for which $test looks", ({ message, test }) => {
    const source = madeOfParts[message] ?? message;
    const count = sources.filter((text) => text.includes(source)).length;
    expect(count).toBeGreaterThanOrEqual(writtenTwice.includes(message) ? 2 : 1);
    expect(expectedTexts(test).filter((text) => text.includes(message))).not.toEqual([]);
  });
});

const server = useServer();

describe("an error page", () => {
  const links = (html: string) =>
    [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]+)/g)].map(([, to, text]) => ({
      to,
      text,
    }));

  it("outside the shell has the product's name, and no script", async () => {
    for (const path of ["/nowhere", "/403", "/500"]) {
      const { body } = await server.send(path);
      expect(body).toMatch(/<main[^>]*><p[^>]*>.*?Promo Console<\/p>/s);
      expect(body).not.toContain("<script");
      expect(links(body)).toEqual([{ to: "/", text: "Back to Home" }]);
    }
  });

  it("offers to try a page again that the server failed to answer, but not a form", async () => {
    const id = await insertPromotion();
    // Details that no action writes.
    await db()("audit_log").insert({
      actor_name: "System",
      action: "promotion.edited",
      details: "null",
      subject_type: "promotion",
      subject_id: id,
    });
    const path = `/app/qr-list/${id}`;
    const cookie = await openSessionOf();
    const page = await server.send(path, { cookie });
    const form = await server.send(path, { method: "POST", cookie, body: { name: "" } });
    expect(page.status).toBe(500);
    for (const { body, headers } of [page, form]) {
      expect(body).toContain("Something went wrong");
      expect(body).toContain(headers["x-request-id"]);
      expect(body).not.toContain("<script");
    }
    expect(links(page.body)).toContainEqual({ to: "", text: "Try again" });
    expect(form.body).not.toContain("Try again");
  });
});
