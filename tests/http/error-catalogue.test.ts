import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertPromotion } from "../factories/promotions";
import { useServer } from "../support/server";

/**
 * The messages of core §8: where each one is, and the test in which it appears.
 * `source` is how the place writes it, where that is made of parts.
 */
type Entry = { message: string; places: string[]; shownBy: string; source?: string };

const inBrowser = "tests/browser";
const fallbacks = `${inBrowser}/error-catalogue.scripted.spec.ts`;
const dialog = "app/features/assignments/manage-machines/machines-dialog.ts";
const row = (message: string, places: string[], shownBy: string, source?: string): Entry => ({
  ...{ message, places, shownBy },
  ...(source && { source }),
});

const fallbackMessages = [
  row(
    "Error deactivating promotion",
    ["app/routes/app.qr-list.$promotionId.deactivate/route.ts"],
    `${inBrowser}/row-actions.spec.ts`,
  ),
  row(
    "Error removing machine",
    [dialog],
    `${inBrowser}/manage-machines.spec.ts`,
    "Error removing ",
  ),
  row("Error removing all machines", [dialog], `${inBrowser}/manage-machines.spec.ts`),
  row("Error adding machines", [dialog], `${inBrowser}/manage-machines.spec.ts`),
  row(
    "Error downloading archive",
    [
      "app/routes/app.qr-generation_.$generationId/generation-details.tsx",
      "app/routes/app.qr-list.$promotionId.download/route.tsx",
    ],
    `${inBrowser}/mass-generation.spec.ts`,
  ),
  row(
    "Failed to download QR code",
    [
      "app/routes/app.qr-list.$promotionId.download/route.tsx",
      "app/routes/app.qr-list_.$promotionId/route.tsx",
    ],
    fallbacks,
  ),
  row(
    "Error deleting promotion",
    ["app/features/promotions/lifecycle/questions.ts"],
    fallbacks,
    'Error deleting ${codes ? "mass generation" : "promotion"}',
  ),
  row(
    "Error deleting mass generation",
    ["app/features/promotions/lifecycle/questions.ts"],
    fallbacks,
  ),
  row("Error creating promotion", ["app/routes/app.qr-generation/route.tsx"], fallbacks),
  row(
    "Error generating QR codes",
    ["app/routes/app.qr-generation_.mass/route.tsx"],
    `${inBrowser}/mass-generation.spec.ts`,
  ),
  row(
    "Failed to update profile",
    ["app/routes/app.profile/route.tsx", "app/routes/app.user.edit/route.tsx"],
    fallbacks,
  ),
  row("Failed to update avatar", ["app/routes/app.profile.avatar/route.tsx"], fallbacks),
  row(
    "Failed to load user data",
    ["app/routes/app.profile/route.tsx"],
    "tests/http/error-catalogue.test.ts",
  ),
  row(
    "Failed to load dashboard data",
    ["app/routes/app.dashboard/route.tsx"],
    "tests/http/dashboard.test.ts",
  ),
  row(
    "Failed to load machines data",
    ["app/routes/app.machines/route.tsx", "app/routes/app.machines_.$serialNumber/route.tsx"],
    "tests/http/machines.test.ts",
  ),
  row(
    "Failed to refresh machines list",
    ["app/routes/app.machines.refresh/route.ts", dialog],
    "tests/http/machines-api.test.ts",
  ),
  row(
    "Failed to load machines",
    ["app/features/assignments/manage-machines/use-dialog.ts"],
    fallbacks,
  ),
  row(
    "Invalid data format received",
    ["app/services/vending-platform/vending-platform.ts"],
    "tests/domain/http-platform.test.ts",
  ),
];

const listMessages = [
  row(
    "Received invalid data format from server. Using cached data if available.",
    ["app/ui/table/list-cache.ts"],
    `${inBrowser}/promotion.spec.ts`,
  ),
  row(
    "Network error. Using cached data.",
    ["app/ui/table/list-cache.ts"],
    `${inBrowser}/promotion.spec.ts`,
  ),
  row("Failed to fetch promotions: ", ["app/features/promotions/list/list-cache.ts"], fallbacks),
  row(
    "Server is not available. Please check if server is running on port",
    ["app/forms/network-errors.ts"],
    `${inBrowser}/vending-platform.spec.ts`,
  ),
  row(
    "Error: Promotion not found",
    ["app/features/promotions/promotions.server.ts"],
    "tests/http/contract.test.ts",
  ),
];

const successMessages = [
  row(
    "Promotion successfully deactivated",
    ["app/routes/app.qr-list.$promotionId.deactivate/route.ts"],
    `${inBrowser}/row-actions.spec.ts`,
  ),
  row(
    "Machine successfully removed",
    [dialog],
    "tests/http/machines-api.test.ts",
    "successfully removed",
  ),
  row("All machines successfully unassigned", [dialog], "tests/http/machines-api.test.ts"),
  row(
    "Machines successfully added",
    [dialog],
    "tests/http/machines-api.test.ts",
    "successfully added",
  ),
  row(
    "Promotion successfully deleted",
    ["app/http/confirm-route.server.ts"],
    `${inBrowser}/row-actions.spec.ts`,
    "${noun} successfully ${done}",
  ),
  row(
    "Mass Generation successfully deleted",
    ["app/http/confirm-route.server.ts"],
    `${inBrowser}/row-actions.spec.ts`,
    "${noun} successfully ${done}",
  ),
  row(
    "QR code downloaded successfully",
    ["app/routes/app.qr-list_.$promotionId/route.tsx"],
    `${inBrowser}/mass-generation.spec.ts`,
  ),
  row(
    "Archive downloaded successfully",
    ["app/routes/app.qr-generation_.$generationId/generation-details.tsx"],
    `${inBrowser}/mass-generation.spec.ts`,
  ),
  row(
    "Promotion created successfully",
    ["app/routes/app.qr-generation/route.tsx"],
    "tests/http/promotion-journey.test.ts",
  ),
  row(
    "QR codes generated successfully",
    ["app/routes/app.qr-generation_.mass/route.tsx"],
    "tests/http/mass-generation-journey.test.ts",
  ),
  row(
    "Profile updated successfully",
    ["app/routes/app.profile/screen.server.ts"],
    "tests/http/profile.test.ts",
  ),
  row(
    "Avatar updated successfully",
    ["app/routes/app.profile.avatar/route.tsx"],
    "tests/http/profile.test.ts",
  ),
  row(
    "Data refreshed successfully",
    ["app/routes/app.qr-list/route.tsx", dialog],
    "tests/http/promotion-list.test.ts",
  ),
  row("Users created", ["app/routes/app.user.new/route.tsx"], "tests/http/users.test.ts"),
  row(
    "Users updated",
    ["app/routes/app.users_.$userId.edit/route.tsx"],
    "tests/http/users.test.ts",
  ),
  row(
    "Profile updated",
    ["app/routes/app.user.edit_.profile/route.tsx"],
    "tests/http/account.test.ts",
  ),
];

const read = (file: string) =>
  readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8");

describe("the error catalogue", () => {
  it.each([...fallbackMessages, ...listMessages, ...successMessages])(
    "has '$message' at its places, and a test in which it appears",
    ({ message, places, shownBy, source = message }) => {
      for (const place of places) expect(read(place), place).toContain(source);
      // Tests may match it with an expression that leaves the end out.
      expect(read(shownBy).replaceAll("\\", ""), shownBy).toContain(message);
    },
  );
});

const server = useServer();

describe("the profile", () => {
  it("says 'Failed to load user data' while the database doesn't answer", async () => {
    const cookie = await server.signIn();
    const holder = await db().transaction();
    try {
      await holder.raw("lock table api_keys in access exclusive mode");
      const { status, body } = await server.send("/app/profile", { cookie });
      expect(status).toBe(503);
      expect(body).toContain("Failed to load user data");
    } finally {
      await holder.rollback();
    }
  });
});

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
      ...{ actor_name: "System", action: "promotion.edited", details: "null" },
      ...{ subject_type: "promotion", subject_id: id },
    });
    const path = `/app/qr-list/${id}`;
    const cookie = await server.signIn();
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
