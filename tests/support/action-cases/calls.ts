import { randomUUID } from "node:crypto";
import { db } from "../../../app/db/connection.server";
import { createLinkToken } from "../../../app/features/sign-in/link-tokens.server";
import type { ImportKind } from "../../../app/features/imports/import-kinds";
import { assign } from "../../factories/assignments";
import { insertImport } from "../../factories/imports";
import { insertGroup } from "../../factories/machine-groups";
import { insertMachine } from "../../factories/people-and-machines";
import { insertPromotion } from "../../factories/promotions";
import { insertRedeemable, makeKey, request } from "../../factories/redemptions";
import { addUser, issueTokenOf, password } from "../server";
import {
  activeCode,
  audited,
  nothingYet,
  email,
  generation,
  unaudited,
  type ActionCase,
  type Performance,
  type Walker,
} from "./walk";

const newPassword = "seven grey herons landing";
const attempts = "Each attempt is a row of its own, accepted or refused (RULES R4).";

/** A call of the admin who walks, unless it brings another bearer. */
function call(method: string, to: string, body?: object, bearer?: string): Performance {
  return {
    method,
    to,
    cookie: "",
    headers: {
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

/** A token of a user of one's own, for calls that end it. */
async function ownToken(): Promise<string> {
  const user = await addUser(email());
  return issueTokenOf(user.email);
}

/** The calls that change what a code or a campaign is: what the audit log says, and the state before. */
const lifecycle = {
  deactivate: ["deactivated", {}],
  reactivate: ["reactivated", { is_active: false }],
  "soft-delete": ["deleted", {}],
  restore: ["restored", { is_deleted: true }],
} as const;

const lifecycleCalls = (subject: string, path: string, insert: (row: object) => Promise<string>) =>
  Object.fromEntries(
    Object.entries(lifecycle).map(([action, [past, row]]) => [
      `PUT ${path}/${action}`,
      audited(`${subject}.${past}`, async () =>
        call("PUT", `${path.replace(/{.*}/, await insert(row))}/${action}`),
      ),
    ]),
  );

/**
 * Calls about imports of one kind of file.
 * @param isRefused whether the platform of the walked site lists what the file holds
 */
function imports(kind: ImportKind, rows: () => string, isRefused = false) {
  const path = `/api/imports/${kind}`;
  const onImport = async (walker: Walker, state: "checked" | "imported", action: string) => {
    const importId = await insertImport((await walker.person()).id, state, kind);
    const { headers, ...performance } = call("POST", `${path}/${importId}/${action}`);
    // An import that fails meanwhile can be confirmed once more, but not by the same request.
    return { ...performance, headers: { ...headers, "Idempotency-Key": randomUUID() } };
  };
  return {
    [`POST ${path}`]: {
      ...unaudited(nothingYet, async () => {
        const { headers, ...upload } = call("POST", path);
        return { ...upload, headers: { ...headers, "Content-Type": "text/csv" }, body: rows() };
      }),
      isRefused,
    },
    [`POST ${path}/{importId}/confirm`]: {
      ...audited("import.confirmed", (walker) => onImport(walker, "checked", "confirm")),
      isRefused,
    },
    [`POST ${path}/{importId}/undo`]: audited("import.undone", (walker) =>
      onImport(walker, "imported", "undo"),
    ),
  };
}

/** Every call that may write, by its method and path. */
export const callActionCases: Record<string, ActionCase> = {
  "POST /auth/signin/local": audited("user.signed_in", async () => {
    const user = await addUser(email());
    return call("POST", "/auth/signin/local", { email: user.email, password });
  }),
  "POST /auth/signout": audited("user.signed_out", async () =>
    call("POST", "/auth/signout", undefined, await ownToken()),
  ),
  "POST /api/auth/refresh": unaudited("It continues a sign-in.", async ({ server }) => {
    const user = await addUser(email());
    const { body } = await server.send("/auth/signin/local", {
      ...call("POST", "", { email: user.email, password }),
    });
    const { refresh_token } = JSON.parse(body) as { refresh_token: string };
    return call("POST", "/api/auth/refresh", { refresh_token });
  }),
  "PUT /api/auth/user": audited("user.profile_edited", async () =>
    call("PUT", "/api/auth/user", { first_name: "Ada" }, await ownToken()),
  ),
  "PUT /auth/password-update": audited("user.password_changed", async () => {
    const body = { newPassword, currentPassword: password };
    return call("PUT", "/auth/password-update", body, await ownToken());
  }),
  "POST /auth/send-password-reset-email": unaudited(
    "Nobody is signed in; the outbox holds the mail.",
    async ({ person }) =>
      call("POST", "/auth/send-password-reset-email", { email: (await person()).email }),
  ),
  "PUT /auth/password-reset": audited("user.password_reset", async ({ person }) => {
    const token = await createLinkToken(db(), "password_reset", (await person()).id);
    return call("PUT", "/auth/password-reset", { token, password: newPassword });
  }),
  "PUT /auth/verify-email": audited("user.email_verified", async ({ person }) => {
    const token = await createLinkToken(db(), "email_verification", (await person()).id);
    return call("PUT", "/auth/verify-email", { token });
  }),
  "POST /auth/signup": audited("user.signed_up", async () =>
    call("POST", "/auth/signup", { email: email(), password: newPassword }),
  ),
  "POST /file/upload/users/avatar": audited("user.photo_added", async (walker) => {
    const { headers, body } = await walker.photo("file");
    const upload = call("POST", "/file/upload/users/avatar", undefined, await ownToken());
    return { ...upload, headers: { ...upload.headers, ...headers }, body };
  }),

  "POST /users": audited("user.created", async () =>
    call("POST", "/users", { data: { email: email() } }),
  ),
  "PUT /users/{userId}": audited("user.edited", async ({ person }) => {
    const { id } = await person();
    return call("PUT", `/users/${id}`, { id, data: { firstName: "Ada" } });
  }),
  "DELETE /users/{userId}": audited("user.deleted", async ({ person }) =>
    call("DELETE", `/users/${(await person()).id}`),
  ),

  "POST /api/create_promotion": audited("promotion.created", async () =>
    call("POST", "/api/create_promotion", {
      promotionName: "Summer",
      discount: 5,
      discount_type: "percentage",
    }),
  ),
  "PUT /api/promotion/{promotionId}": audited("promotion.edited", async () =>
    call("PUT", `/api/promotion/${await insertPromotion()}`, { name: "Autumn" }),
  ),
  ...lifecycleCalls(
    "promotion",
    "/api/promotion/{promotionId}",
    async (row) => (await activeCode({ ...row })).id,
  ),
  "POST /api/promotion/{promotionId}/add-machines": audited(
    "promotion.machines_added",
    async () => {
      const { serial_number: serialNumber } = await insertMachine();
      const to = `/api/promotion/${await insertPromotion()}/add-machines`;
      return call("POST", to, { machines: [{ serialNumber, humanName: "Lobby" }] });
    },
  ),
  "DELETE /api/promotion/{promotionId}/machines": audited(
    "promotion.machines_unassigned",
    async () => call("DELETE", `/api/promotion/${(await activeCode()).id}/machines`),
  ),
  "DELETE /api/promotion/{promotionId}/machines/{serialNumber}": audited(
    "promotion.machine_removed",
    async () => {
      const { id, serial } = await activeCode();
      return call("DELETE", `/api/promotion/${id}/machines/${serial}`);
    },
  ),
  "POST /api/promotion/{promotionId}/add-groups": audited("promotion.groups_added", async () =>
    call("POST", `/api/promotion/${await insertPromotion()}/add-groups`, {
      groups: [await insertGroup()],
    }),
  ),
  "DELETE /api/promotion/{promotionId}/groups/{groupId}": audited(
    "promotion.group_removed",
    async () => {
      const [id, groupId] = [await insertPromotion(), await insertGroup()];
      await assign("promotions", id, { group_id: groupId });
      return call("DELETE", `/api/promotion/${id}/groups/${groupId}`);
    },
  ),

  "POST /api/test_codes": unaudited("Test codes are worth nothing.", async () =>
    call("POST", "/api/test_codes", { discount_type: "percentage", discount_value: 5 }),
  ),
  "POST /api/generate_codes": audited("mass_generation.created", async () =>
    call("POST", "/api/generate_codes", {
      name: "Codes",
      num_codes: 2,
      discount_type: "percentage",
      discount_value: 5,
    }),
  ),
  "PUT /api/mass_generation/{massGenerationId}": audited("mass_generation.renamed", async () =>
    call("PUT", `/api/mass_generation/${await generation()}`, { name: "Autumn" }),
  ),
  ...lifecycleCalls("mass_generation", "/api/mass_generation/{massGenerationId}", (row) =>
    generation({ ...row }),
  ),

  "POST /api/mass_generation/{massGenerationId}/add-codes": audited(
    "mass_generation.codes_added",
    async () =>
      call("POST", `/api/mass_generation/${await generation()}/add-codes`, { num_codes: 2 }),
  ),
  ...imports("codes", () => `code,name,discount,uses\n${randomUUID().slice(0, 8)},Walk,20%,single`),
  ...imports("machines", () => "serial_number\nWALK-NEW", true),
  ...imports("groups", () => `group,machines\n${randomUUID()},`),
  ...imports("assignments", () => "campaign,machines\nWalk,WALK-1"),

  "POST /api/redemptions": unaudited(attempts, async () => {
    const { secret } = await makeKey();
    return call("POST", "/api/redemptions", request(await insertRedeemable()), secret);
  }),
  "POST /api/redemptions/check": unaudited("It changes nothing.", async () => {
    const { secret } = await makeKey();
    const { code, serialNumber } = await insertRedeemable();
    const check = { code, serialNumber, originalPrice: 250 };
    return call("POST", "/api/redemptions/check", check, secret);
  }),
  "POST /api/redemptions/{redemptionId}/rollback": unaudited(attempts, async ({ server }) => {
    const { secret } = await makeKey();
    const redemption = request(await insertRedeemable());
    await server.send("/api/redemptions", { ...call("POST", "", redemption, secret) });
    return call("POST", `/api/redemptions/${redemption.redemptionId}/rollback`, undefined, secret);
  }),
};
