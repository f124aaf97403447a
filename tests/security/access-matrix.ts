import { operations } from "../../app/http/operations/index.server";
import { demoRules } from "../demo/access";

/**
 * Roles that may run the loader and the action of each route. A route that is not in here fails the
 * tests: add its row together with its guard.
 *
 * - `anyone`: open
 * - `visitor`: only somebody who is not signed in; others are sent home
 * - `viewer`, `user`, `admin`: a session of somebody with at least that role; without one the sign-in page
 * - `api`, `api user`, `api admin`: a bearer token, of somebody with at least that role; cookies count for nothing
 * - `none`: the route has no such function
 */
export type Who =
  "anyone" | "visitor" | "viewer" | "user" | "admin" | "api" | "api user" | "api admin" | "none";

export type Access = { path: string; loader: Who; action: Who };

/**
 * The address of a route is its own path, its parameters filled with what does not exist, unless it is given. What a
 * dialog is about exists where more people may open the page beneath it, which would answer 404 first.
 */
export type Rule = [loader: Who, action: Who, path?: string];

const rules: Record<string, Rule> = {
  root: ["anyone", "none", "/login"],
  "routes/_index": ["anyone", "none", "/"],
  "routes/$": ["anyone", "none", "/nowhere"],
  "routes/admin.$": ["anyone", "none", "/admin/users"],
  "routes/login": ["visitor", "visitor"],
  "routes/invitation": ["anyone", "anyone"],
  "routes/password-reset": ["anyone", "anyone"],
  "routes/signup": ["visitor", "visitor"],
  "routes/help": ["anyone", "none"],
  "routes/verify-email": ["anyone", "anyone"],
  "routes/undo-email": ["anyone", "anyone"],
  "routes/logout": ["anyone", "anyone"],
  "routes/preferences": ["anyone", "anyone"],

  "routes/r.$code": ["anyone", "none", "/r/nowhere"],
  "routes/logo": ["anyone", "none"],

  "routes/app": ["viewer", "none", "/app/support"],
  "routes/app._index": ["viewer", "none"],
  "routes/app.$": ["viewer", "none", "/app/nowhere"],
  "routes/app.check": ["viewer", "user"],
  "routes/app.search": ["viewer", "none", "/app/search?q=nobody"],
  "routes/app.sample-data": ["admin", "admin"],
  "routes/app.dashboard": ["viewer", "none"],
  "routes/app.alerts": ["user", "none"],
  "routes/app.alerts_.$alertId": ["user", "user"],
  "routes/app.alerts_.mails": ["user", "user"],
  "routes/app.approvals": ["user", "none"],
  "routes/app.approvals_.$approvalId": ["user", "user"],
  "routes/app.keyboard": ["viewer", "none"],
  "routes/app.machine-groups": ["viewer", "none"],
  "routes/app.machine-groups_.new": ["user", "user"],
  "routes/app.machine-groups_.$groupId": ["viewer", "user"],
  "routes/app.machine-groups_.$groupId.delete": ["user", "user", "/app/machine-groups/1/delete"],
  "routes/app.integrations": ["admin", "admin"],
  "routes/app.integrations_.$integrationId": ["admin", "admin"],
  "routes/app.integrations_.$integrationId.limit.$keyId": ["admin", "admin"],
  "routes/app.integrations_.$integrationId.renew.$keyId": ["admin", "admin"],
  "routes/app.integrations_.$integrationId.revoke.$keyId": ["admin", "admin"],
  "routes/app.integrations_.$integrationId_.test-mode": ["admin", "admin"],
  "routes/app.imports": ["user", "none"],
  "routes/app.imports_.new": ["user", "user"],
  "routes/app.imports_.$importId": ["user", "user"],
  "routes/app.imports_.$importId.undo": ["user", "user"],
  "routes/app.imports_.$importId_.verdicts[.]csv": ["user", "none"],
  "routes/app.imports_.template[.]csv": ["user", "none"],
  "routes/app.machines": ["viewer", "none"],
  "routes/app.machines.$serialNumber.promotions": ["viewer", "none"],
  "routes/app.machines_.$serialNumber_.edit": ["admin", "admin"],
  "routes/app.machines_.$serialNumber": ["viewer", "admin"],
  "routes/app.machines_.add": ["admin", "admin"],
  "routes/app.machines.refresh": ["user", "user"],
  "routes/app.machines.confirm": ["admin", "admin"],
  "routes/app.audit": ["admin", "none"],
  "routes/app.audit_.export[.]csv": ["admin", "none"],
  "routes/app.profile_.photos.$photoId": ["viewer", "none"],
  "routes/app.user.edit": ["viewer", "viewer"],
  "routes/app.user.edit_.password": ["viewer", "viewer"],
  "routes/app.user.edit_.profile": ["viewer", "viewer"],
  "routes/app.user.edit_.profile.delete.$photoId": ["viewer", "viewer"],
  "routes/app.user.new": ["admin", "admin"],
  "routes/app.users": ["admin", "none"],
  "routes/app.users.$userId.delete": ["admin", "admin"],
  "routes/app.users_.$userId.edit": ["admin", "admin"],
  "routes/app.mail": ["admin", "none"],
  "routes/app.settings": ["admin", "admin"],
  "routes/app.settings_.customer-page": ["admin", "none"],
  "routes/app.jobs": ["admin", "none"],
  "routes/app.jobs_.test-mail": ["admin", "admin"],
  "routes/app.jobs_.$jobId.run": ["admin", "admin"],
  "routes/app.outgoing.resume": ["admin", "admin"],
  "routes/app.profile": ["viewer", "viewer"],
  "routes/app.profile.api-key": ["user", "user"],
  "routes/app.profile.avatar": ["viewer", "viewer"],
  "routes/app.profile_.second-factor": ["viewer", "viewer"],
  "routes/app.profile_.second-factor.remove.$passkeyId": ["viewer", "viewer"],
  "routes/app.profile_.second-factor.turn-off": ["viewer", "viewer"],
  "routes/app.profile_.second-factor_.passkey": ["viewer", "viewer"],
  "routes/app.profile_.second-factor_.qr[.]svg": ["viewer", "none"],
  "routes/app.reports_.mailing": ["admin", "admin"],
  "routes/app.reports_.mailing.$scheduleId.edit": ["admin", "admin"],
  "routes/app.reports_.mailing.$scheduleId.remove": ["admin", "admin"],
  "routes/app.reports_.mailing_.$scheduleId": ["admin", "admin"],
  "routes/app.qr-generation": ["user", "user"],
  "routes/app.qr-generation_.mass": ["user", "user"],
  "routes/app.qr-generation_.all": ["viewer", "none"],
  "routes/app.qr-generation_.$generationId.archive[.]zip": ["user", "none"],
  "routes/app.qr-generation_.$generationId_.add-codes": ["user", "user"],
  "routes/app.qr-generation_.$generationId_.caps": ["user", "user"],
  "routes/app.qr-list_.$promotionId_.caps": ["user", "user"],
  "routes/app.qr-generation_.$generationId": ["viewer", "user"],
  "routes/app.qr-generation_.$generationId.machines": [
    "user",
    "user",
    "/app/qr-generation/1/machines",
  ],
  "routes/app.qr-generation_.$generationId.delete": ["user", "user", "/app/qr-generation/1/delete"],
  "routes/app.qr-generation_.$generationId.restore": [
    "admin",
    "admin",
    "/app/qr-generation/1/restore",
  ],
  "routes/app.qr-generation_.$generationId_.labels": ["user", "none"],
  "routes/app.qr-generation_.$generationId_.labels[.]pdf": ["user", "none"],
  "routes/app.qr-generation_.$generationId_.labels[.]svg": ["user", "none"],
  "routes/app.qr-list_.$promotionId_.share": ["user", "user"],
  "routes/app.qr-list_.$promotionId_.card": ["user", "none"],
  "routes/app.qr-list_.$promotionId_.labels": ["user", "none"],
  "routes/app.qr-list_.$promotionId_.labels[.]pdf": ["user", "none"],
  "routes/app.qr-list_.$promotionId_.labels[.]svg": ["user", "none"],
  "routes/app.qr-list": ["viewer", "viewer"],
  "routes/app.qr-list.views": ["user", "user"],
  "routes/app.qr-list.$promotionId.download": ["user", "none"],
  "routes/app.qr-list.$promotionId.machines": ["user", "user"],
  "routes/app.qr-list.$promotionId.deactivate": ["user", "user"],
  "routes/app.qr-list.$promotionId.delete": ["user", "user"],
  "routes/app.qr-list.$promotionId.restore": ["admin", "admin"],
  "routes/app.qr-list_.$promotionId": ["viewer", "user"],
  "routes/app.qr-list_.$promotionId.qr[.]svg": ["user", "none"],
  "routes/app.qr-list_.$promotionId.qr[.]png": ["user", "none"],
  "routes/app.qr-list_.bulk": ["user", "none"],
  "routes/app.qr-list_.bulk_.$operationId": ["user", "user"],
  "routes/app.qr-list_.export[.]csv": ["viewer", "none"],
  "routes/app.qr-list_.qr-codes[.]zip": ["user", "none"],
  "routes/app.transactions": ["viewer", "none"],
  "routes/app.reports": ["viewer", "none"],
  "routes/app.reports_.export[.]csv": ["viewer", "none"],
  "routes/app.transactions_.refused": ["viewer", "none"],
  "routes/app.transactions_.export[.]csv": ["viewer", "none"],

  "routes/app.webhooks": ["admin", "admin"],
  "routes/app.webhooks_.$webhookId": ["admin", "admin"],
  "routes/app.webhooks_.$webhookId.remove": ["admin", "admin"],
  "routes/app.webhooks_.$webhookId_.deliveries.$deliveryId": ["admin", "admin"],
  "routes/api.docs": ["anyone", "none"],
  "routes/api.docs_.calls": ["anyone", "none"],
  "routes/api.docs_.calls_.$group": ["anyone", "none", "/api/docs/calls/codes"],
  "routes/api.docs_.webhooks": ["anyone", "none"],
  "routes/api.openapi[.]json": ["anyone", "none"],
  "routes/api.$": ["anyone", "anyone", "/api/nowhere"],
  "routes/auth.$": ["anyone", "anyone", "/auth/nowhere"],
  "routes/file.$": ["anyone", "anyone", "/file/nowhere"],
  "routes/users.$": ["anyone", "anyone", "/users/no/where"],
  ...demoRules,
};

export const accessMatrix: Record<string, Access> = Object.fromEntries(
  Object.entries(rules).map(([id, [loader, action, path]]) => [
    id,
    { loader, action, path: path ?? pathOf(id, () => "999999") },
  ]),
);

/** Writes the path of a route, with a value for each parameter. */
export function pathOf(id: string, valueOf: (param: string) => string): string {
  const parts = id
    .replace(/^.*routes\//, "")
    .replaceAll("[.]", "·")
    .split(".");
  return parts
    .filter((part) => !part.startsWith("_"))
    .map((part) => part.replace(/_$/, "").replaceAll("·", "."))
    .map((part) => part.replace(/\(?\$(\w+)\)?/, (_, param: string) => valueOf(param)))
    .map((part) => `/${part}`)
    .join("");
}

/** The calls that viewers may not make: those that change more than their own account, or answer with whole codes. */
export const callsOfUsers = [
  "GET /api/alerts",
  "GET /api/approvals/{approvalId}",
  "GET /api/events",
  "GET /api/test_codes",
  "POST /api/test_codes",
  "GET /api/download_archive/{massGenerationId}",
  "GET /api/promotion/{promotionId}/download_qr",
  "POST /api/create_promotion",
  "POST /api/generate_codes",
  ...["codes", "machines", "groups", "assignments"].flatMap((kind) => [
    `GET /api/imports/${kind}/{importId}`,
    `POST /api/imports/${kind}`,
    `POST /api/imports/${kind}/{importId}/confirm`,
    `POST /api/imports/${kind}/{importId}/undo`,
  ]),
  "PUT /api/promotion/{promotionId}",
  "PUT /api/promotion/{promotionId}/deactivate",
  "PUT /api/promotion/{promotionId}/reactivate",
  "PUT /api/promotion/{promotionId}/soft-delete",
  "PUT /api/promotion/{promotionId}/restore",
  "POST /api/promotion/{promotionId}/add-machines",
  "POST /api/promotion/{promotionId}/add-groups",
  "DELETE /api/promotion/{promotionId}/machines",
  "DELETE /api/promotion/{promotionId}/machines/{serialNumber}",
  "DELETE /api/promotion/{promotionId}/groups/{groupId}",
  "PUT /api/mass_generation/{massGenerationId}",
  "POST /api/mass_generation/{massGenerationId}/add-codes",
  "PUT /api/mass_generation/{massGenerationId}/deactivate",
  "PUT /api/mass_generation/{massGenerationId}/reactivate",
  "PUT /api/mass_generation/{massGenerationId}/restore",
  "PUT /api/mass_generation/{massGenerationId}/soft-delete",
];

/** Paths of the API that need a bearer token. */
const apiPaths = operations.filter(({ scope }) => scope !== "public").map(({ path }) => path);

const whoCalls = (method: string, path: string): Who =>
  callsOfUsers.includes(`${method} ${path}`) ? "api user" : "api";

/** Every address with its rule: one for each route, and one for each path of the API's route. */
export const addresses: [string, Access][] = [
  ...Object.entries(accessMatrix),
  ...[...new Set(apiPaths)].map((pattern): [string, Access] => {
    const path = pattern.replace(/\{\w+\}/g, "999999");
    return pattern.startsWith("/users")
      ? [path, { path, loader: "api admin", action: "api admin" }]
      : [path, { path, loader: whoCalls("GET", pattern), action: whoCalls("POST", pattern) }];
  }),
];

/** Whether a row is of the API, which knows bearer tokens only. */
export function isApiRow(id: string): boolean {
  return /^([\w/]*routes)?\/(api|auth|users|file|products)\b/.test(id);
}

/** Returns the address at which the router sends the data of a row's page alone. */
export function dataAddress(id: string, path: string): string {
  // One route of the API answers all below its first segment.
  const route = id in accessMatrix ? id : `routes/${id.split("/")[1]}.$`;
  return `${path}${path.includes("?") ? "&" : "?"}_data=${encodeURIComponent(route)}`;
}

/** Whom a call of `/users` is about. */
export type Target = "its own user" | "another admin" | "a disabled admin" | "a user" | "nobody";

/** Actions that a key with the scope `users` may do, and to whom; the access token of an admin may do all of it. */
export const keyLimits: {
  target: Target;
  method: "POST" | "PUT" | "DELETE";
  data?: Record<string, unknown>;
  status: number;
}[] = [
  { target: "nobody", method: "POST", data: { role: "user" }, status: 201 },
  { target: "nobody", method: "POST", data: {}, status: 201 },
  { target: "nobody", method: "POST", data: { role: "viewer" }, status: 201 },
  { target: "nobody", method: "POST", data: { role: "admin" }, status: 403 },

  { target: "its own user", method: "PUT", data: { email: "new" }, status: 403 },
  { target: "its own user", method: "PUT", data: { firstName: "Eve" }, status: 403 },
  { target: "its own user", method: "PUT", data: { phoneNumber: "1" }, status: 403 },
  { target: "its own user", method: "PUT", data: { role: "user" }, status: 403 },
  { target: "its own user", method: "PUT", data: { disabled: true }, status: 403 },
  { target: "its own user", method: "DELETE", status: 403 },

  { target: "another admin", method: "PUT", data: { email: "new" }, status: 403 },
  { target: "another admin", method: "PUT", data: { role: "user" }, status: 403 },
  { target: "another admin", method: "PUT", data: { disabled: true }, status: 403 },
  { target: "another admin", method: "PUT", data: { lastName: "Lovelace" }, status: 200 },
  { target: "another admin", method: "DELETE", status: 403 },
  { target: "a disabled admin", method: "PUT", data: { disabled: false }, status: 403 },
  { target: "a disabled admin", method: "PUT", data: { email: "new" }, status: 403 },
  { target: "a disabled admin", method: "DELETE", status: 403 },

  { target: "a user", method: "PUT", data: { email: "new", firstName: "Ada" }, status: 200 },
  { target: "a user", method: "PUT", data: { disabled: true }, status: 200 },
  { target: "a user", method: "PUT", data: { role: "viewer" }, status: 200 },
  { target: "a user", method: "PUT", data: { role: "admin" }, status: 403 },
  { target: "a user", method: "DELETE", status: 200 },
];
