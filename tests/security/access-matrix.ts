import { demoAccess } from "../demo/access";

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

export type Access = {
  /**
   * An address of the route, its parameters filled with what mostly does not exist. What a dialog is about exists where
   * more people may open the page beneath it, which would answer 404 first.
   */
  path: string;
  loader: Who;
  action: Who;
};

function rule(path: string, loader: Who, action: Who): Access {
  return { path, loader, action };
}

export const accessMatrix: Record<string, Access> = {
  root: rule("/login", "anyone", "none"),
  "routes/_index": rule("/", "anyone", "none"),
  "routes/$": rule("/nowhere", "anyone", "none"),
  "routes/admin.$": rule("/admin/users", "anyone", "none"),
  "routes/login": rule("/login", "visitor", "visitor"),
  "routes/invitation": rule("/invitation", "visitor", "visitor"),
  "routes/password-reset": rule("/password-reset", "visitor", "visitor"),
  "routes/signup": rule("/signup", "visitor", "visitor"),
  "routes/verify-email": rule("/verify-email", "anyone", "anyone"),
  "routes/undo-email": rule("/undo-email", "anyone", "anyone"),
  "routes/logout": rule("/logout", "anyone", "anyone"),
  "routes/preferences": rule("/preferences", "anyone", "anyone"),

  "routes/r.$code": rule("/r/nowhere", "anyone", "none"),
  "routes/logo": rule("/logo", "anyone", "none"),

  "routes/app": rule("/app/support", "viewer", "none"),
  "routes/app._index": rule("/app", "viewer", "none"),
  "routes/app.$": rule("/app/nowhere", "viewer", "none"),
  "routes/app.check": rule("/app/check", "viewer", "user"),
  "routes/app.search": rule("/app/search?q=nobody", "viewer", "none"),
  "routes/app.sample-data": rule("/app/sample-data", "admin", "admin"),
  "routes/app.dashboard": rule("/app/dashboard", "viewer", "none"),
  "routes/app.alerts": rule("/app/alerts", "user", "none"),
  "routes/app.alerts_.$alertId": rule("/app/alerts/999999", "user", "user"),
  "routes/app.alerts_.mails": rule("/app/alerts/mails", "user", "user"),
  "routes/app.approvals": rule("/app/approvals", "user", "none"),
  "routes/app.approvals_.$approvalId": rule("/app/approvals/999999", "user", "admin"),
  "routes/app.keyboard": rule("/app/keyboard", "viewer", "none"),
  "routes/app.machine-groups": rule("/app/machine-groups", "viewer", "none"),
  "routes/app.machine-groups_.new": rule("/app/machine-groups/new", "user", "user"),
  "routes/app.machine-groups_.$groupId": rule("/app/machine-groups/999999", "viewer", "user"),
  "routes/app.machine-groups_.$groupId.delete": rule(
    "/app/machine-groups/1/delete",
    "user",
    "user",
  ),
  "routes/app.integrations": rule("/app/integrations", "admin", "admin"),
  "routes/app.integrations_.$integrationId": rule("/app/integrations/999999", "admin", "admin"),
  "routes/app.integrations_.$integrationId.limit.$keyId": rule(
    "/app/integrations/999999/limit/999999",
    "admin",
    "admin",
  ),
  "routes/app.integrations_.$integrationId.renew.$keyId": rule(
    "/app/integrations/999999/renew/999999",
    "admin",
    "admin",
  ),
  "routes/app.integrations_.$integrationId.revoke.$keyId": rule(
    "/app/integrations/999999/revoke/999999",
    "admin",
    "admin",
  ),
  "routes/app.integrations_.$integrationId_.test-mode": rule(
    "/app/integrations/999999/test-mode",
    "admin",
    "admin",
  ),
  "routes/app.imports": rule("/app/imports", "user", "none"),
  "routes/app.imports_.new": rule("/app/imports/new", "user", "user"),
  "routes/app.imports_.$importId": rule("/app/imports/999999", "user", "user"),
  "routes/app.imports_.$importId_.verdicts[.]csv": rule(
    "/app/imports/999999/verdicts.csv",
    "user",
    "none",
  ),
  "routes/app.imports_.template[.]csv": rule("/app/imports/template.csv", "user", "none"),
  "routes/app.machines": rule("/app/machines", "viewer", "none"),
  "routes/app.machines.$serialNumber.promotions": rule(
    "/app/machines/nobody/promotions",
    "viewer",
    "none",
  ),
  "routes/app.machines_.$serialNumber_.edit": rule("/app/machines/nobody/edit", "admin", "admin"),
  "routes/app.machines_.$serialNumber": rule("/app/machines/nobody", "viewer", "admin"),
  "routes/app.machines_.add": rule("/app/machines/add", "admin", "admin"),
  "routes/app.machines.refresh": rule("/app/machines/refresh", "user", "user"),
  "routes/app.machines.confirm": rule("/app/machines/confirm", "admin", "admin"),
  "routes/app.audit": rule("/app/audit", "admin", "none"),
  "routes/app.audit_.export[.]csv": rule("/app/audit/export.csv", "admin", "none"),
  "routes/app.profile_.photos.$photoId": rule("/app/profile/photos/nobody", "viewer", "none"),
  "routes/app.user.edit": rule("/app/user/edit", "viewer", "viewer"),
  "routes/app.user.edit_.password": rule("/app/user/edit/password", "viewer", "viewer"),
  "routes/app.user.edit_.profile": rule("/app/user/edit/profile", "viewer", "viewer"),
  "routes/app.user.new": rule("/app/user/new", "admin", "admin"),
  "routes/app.users": rule("/app/users", "admin", "none"),
  "routes/app.users.$userId.delete": rule("/app/users/999999/delete", "admin", "admin"),
  "routes/app.users_.$userId.edit": rule("/app/users/999999/edit", "admin", "admin"),
  "routes/app.mail": rule("/app/mail", "admin", "none"),
  "routes/app.settings": rule("/app/settings", "admin", "admin"),
  "routes/app.settings_.customer-page": rule("/app/settings/customer-page", "admin", "none"),
  "routes/app.jobs": rule("/app/jobs", "admin", "none"),
  "routes/app.jobs_.test-mail": rule("/app/jobs/test-mail", "admin", "admin"),
  "routes/app.jobs_.$jobId.run": rule("/app/jobs/mail-999999/run", "admin", "admin"),
  "routes/app.outgoing.resume": rule("/app/outgoing/resume", "admin", "admin"),
  "routes/app.profile": rule("/app/profile", "viewer", "viewer"),
  "routes/app.profile.api-key": rule("/app/profile/api-key", "user", "user"),
  "routes/app.profile.avatar": rule("/app/profile/avatar", "viewer", "viewer"),
  "routes/app.profile_.second-factor": rule("/app/profile/second-factor", "viewer", "viewer"),
  "routes/app.profile_.second-factor_.passkey": rule(
    "/app/profile/second-factor/passkey",
    "viewer",
    "viewer",
  ),
  "routes/app.profile_.second-factor_.qr[.]svg": rule(
    "/app/profile/second-factor/qr.svg",
    "viewer",
    "none",
  ),
  "routes/app.reports_.mailing": rule("/app/reports/mailing", "admin", "admin"),
  "routes/app.reports_.mailing.$scheduleId.edit": rule(
    "/app/reports/mailing/999999/edit",
    "admin",
    "admin",
  ),
  "routes/app.reports_.mailing.$scheduleId.remove": rule(
    "/app/reports/mailing/999999/remove",
    "admin",
    "admin",
  ),
  "routes/app.reports_.mailing_.$scheduleId": rule("/app/reports/mailing/999999", "admin", "admin"),
  "routes/app.qr-generation": rule("/app/qr-generation", "user", "user"),
  "routes/app.qr-generation_.mass": rule("/app/qr-generation/mass", "user", "user"),
  "routes/app.qr-generation_.all": rule("/app/qr-generation/all", "viewer", "none"),
  "routes/app.qr-generation_.$generationId.archive[.]zip": rule(
    "/app/qr-generation/999999/archive.zip",
    "user",
    "none",
  ),
  "routes/app.qr-generation_.$generationId_.add-codes": rule(
    "/app/qr-generation/999999/add-codes",
    "user",
    "user",
  ),
  "routes/app.qr-generation_.$generationId_.caps": rule(
    "/app/qr-generation/999999/caps",
    "user",
    "user",
  ),
  "routes/app.qr-list_.$promotionId_.caps": rule("/app/qr-list/999999/caps", "user", "user"),
  "routes/app.qr-generation_.$generationId": rule("/app/qr-generation/999999", "viewer", "user"),
  "routes/app.qr-generation_.$generationId.machines": rule(
    "/app/qr-generation/1/machines",
    "user",
    "user",
  ),
  "routes/app.qr-generation_.$generationId.delete": rule(
    "/app/qr-generation/1/delete",
    "user",
    "user",
  ),
  "routes/app.qr-generation_.$generationId.restore": rule(
    "/app/qr-generation/1/restore",
    "admin",
    "admin",
  ),
  "routes/app.qr-generation_.$generationId_.labels": rule(
    "/app/qr-generation/999999/labels",
    "user",
    "none",
  ),
  "routes/app.qr-generation_.$generationId_.labels[.]pdf": rule(
    "/app/qr-generation/999999/labels.pdf",
    "user",
    "none",
  ),
  "routes/app.qr-generation_.$generationId_.labels[.]svg": rule(
    "/app/qr-generation/999999/labels.svg",
    "user",
    "none",
  ),
  "routes/app.qr-list_.$promotionId_.share": rule("/app/qr-list/999999/share", "user", "user"),
  "routes/app.qr-list_.$promotionId_.card": rule("/app/qr-list/999999/card", "user", "none"),
  "routes/app.qr-list_.$promotionId_.labels": rule("/app/qr-list/999999/labels", "user", "none"),
  "routes/app.qr-list_.$promotionId_.labels[.]pdf": rule(
    "/app/qr-list/999999/labels.pdf",
    "user",
    "none",
  ),
  "routes/app.qr-list_.$promotionId_.labels[.]svg": rule(
    "/app/qr-list/999999/labels.svg",
    "user",
    "none",
  ),
  "routes/app.qr-list": rule("/app/qr-list", "viewer", "viewer"),
  "routes/app.qr-list.views": rule("/app/qr-list/views", "user", "user"),
  "routes/app.qr-list.$promotionId.download": rule("/app/qr-list/999999/download", "user", "none"),
  "routes/app.qr-list.$promotionId.machines": rule("/app/qr-list/999999/machines", "user", "user"),
  "routes/app.qr-list.$promotionId.deactivate": rule(
    "/app/qr-list/999999/deactivate",
    "user",
    "user",
  ),
  "routes/app.qr-list.$promotionId.delete": rule("/app/qr-list/999999/delete", "user", "user"),
  "routes/app.qr-list.$promotionId.restore": rule("/app/qr-list/999999/restore", "admin", "admin"),
  "routes/app.qr-list_.$promotionId": rule("/app/qr-list/999999", "viewer", "user"),
  "routes/app.qr-list_.$promotionId.qr[.]svg": rule("/app/qr-list/999999/qr.svg", "user", "none"),
  "routes/app.qr-list_.$promotionId.qr[.]png": rule("/app/qr-list/999999/qr.png", "user", "none"),
  "routes/app.qr-list_.bulk": rule("/app/qr-list/bulk", "user", "none"),
  "routes/app.qr-list_.bulk_.$operationId": rule("/app/qr-list/bulk/999999", "user", "user"),
  "routes/app.qr-list_.export[.]csv": rule("/app/qr-list/export.csv", "viewer", "none"),
  "routes/app.qr-list_.qr-codes[.]zip": rule("/app/qr-list/qr-codes.zip", "user", "none"),
  "routes/app.transactions": rule("/app/transactions", "viewer", "none"),
  "routes/app.reports": rule("/app/reports", "viewer", "none"),
  "routes/app.reports_.export[.]csv": rule("/app/reports/export.csv", "viewer", "none"),
  "routes/app.transactions_.refused": rule("/app/transactions/refused", "viewer", "none"),
  "routes/app.transactions_.export[.]csv": rule("/app/transactions/export.csv", "viewer", "none"),

  "routes/app.webhooks": rule("/app/webhooks", "admin", "admin"),
  "routes/app.webhooks_.$webhookId": rule("/app/webhooks/999999", "admin", "admin"),
  "routes/app.webhooks_.$webhookId.remove": rule("/app/webhooks/999999/remove", "admin", "admin"),
  "routes/app.webhooks_.$webhookId_.deliveries.$deliveryId": rule(
    "/app/webhooks/999999/deliveries/999999",
    "admin",
    "admin",
  ),
  "routes/api.docs": rule("/api/docs", "anyone", "none"),
  "routes/api.docs_.calls": rule("/api/docs/calls", "anyone", "none"),
  "routes/api.docs_.calls_.$group": rule("/api/docs/calls/codes", "anyone", "none"),
  "routes/api.docs_.webhooks": rule("/api/docs/webhooks", "anyone", "none"),
  "routes/api.openapi[.]json": rule("/api/openapi.json", "anyone", "none"),
  "routes/api.$": rule("/api/nowhere", "anyone", "anyone"),
  "routes/auth.$": rule("/auth/nowhere", "anyone", "anyone"),
  "routes/file.$": rule("/file/nowhere", "anyone", "anyone"),
  "routes/users.$": rule("/users/no/where", "anyone", "anyone"),
  ...demoAccess,
};

/** Addresses of the API that need a bearer token, one for each path of its operations. */
export const apiAddresses: Record<string, string> = {
  "/api/alerts": "/api/alerts",
  "/api/approvals/{approvalId}": "/api/approvals/999999",
  "/api/events": "/api/events",
  "/api/machine-groups": "/api/machine-groups",
  "/api/mass_generation/{massGenerationId}": "/api/mass_generation/999999",
  "/api/mass_generation/{massGenerationId}/add-codes": "/api/mass_generation/999999/add-codes",
  "/api/mass_generation/{massGenerationId}/deactivate": "/api/mass_generation/999999/deactivate",
  "/api/mass_generation/{massGenerationId}/reactivate": "/api/mass_generation/999999/reactivate",
  "/api/mass_generation/{massGenerationId}/restore": "/api/mass_generation/999999/restore",
  "/api/promotion/{promotionId}": "/api/promotion/999999",
  "/api/promotion/{promotionId}/add-groups": "/api/promotion/999999/add-groups",
  "/api/promotion/{promotionId}/groups/{groupId}": "/api/promotion/999999/groups/999999",
  "/api/promotion/{promotionId}/reactivate": "/api/promotion/999999/reactivate",
  "/api/promotion/{promotionId}/restore": "/api/promotion/999999/restore",
  "/auth/me": "/auth/me",
  "/auth/password-update": "/auth/password-update",
  "/auth/signout": "/auth/signout",
  "/api/auth/user": "/api/auth/user",
  "/file/download": "/file/download?privateUrl=users/avatar/nobody.webp",
  "/file/upload/users/avatar": "/file/upload/users/avatar",
  "/users": "/users",
  "/users/{userId}": "/users/999999",
  "/api/create_promotion": "/api/create_promotion",
  "/api/download_archive/{massGenerationId}": "/api/download_archive/999999",
  "/api/generate_codes": "/api/generate_codes",
  "/api/imports/codes": "/api/imports/codes",
  "/api/imports/codes/{importId}": "/api/imports/codes/999999",
  "/api/imports/codes/{importId}/confirm": "/api/imports/codes/999999/confirm",
  "/api/imports/codes/{importId}/undo": "/api/imports/codes/999999/undo",
  "/api/imports/machines": "/api/imports/machines",
  "/api/imports/machines/{importId}": "/api/imports/machines/999999",
  "/api/imports/machines/{importId}/confirm": "/api/imports/machines/999999/confirm",
  "/api/imports/machines/{importId}/undo": "/api/imports/machines/999999/undo",
  "/api/imports/groups": "/api/imports/groups",
  "/api/imports/groups/{importId}": "/api/imports/groups/999999",
  "/api/imports/groups/{importId}/confirm": "/api/imports/groups/999999/confirm",
  "/api/imports/groups/{importId}/undo": "/api/imports/groups/999999/undo",
  "/api/imports/assignments": "/api/imports/assignments",
  "/api/imports/assignments/{importId}": "/api/imports/assignments/999999",
  "/api/imports/assignments/{importId}/confirm": "/api/imports/assignments/999999/confirm",
  "/api/imports/assignments/{importId}/undo": "/api/imports/assignments/999999/undo",
  "/api/machine/{serialNumber}/promotions": "/api/machine/nobody/promotions",
  "/api/machines-list": "/api/machines-list",
  "/api/mass_generation/{massGenerationId}/soft-delete": "/api/mass_generation/999999/soft-delete",
  "/api/promotion/{promotionId}/add-machines": "/api/promotion/999999/add-machines",
  "/api/promotion/{promotionId}/deactivate": "/api/promotion/999999/deactivate",
  "/api/promotion/{promotionId}/download_qr": "/api/promotion/999999/download_qr",
  "/api/promotion/{promotionId}/machines": "/api/promotion/999999/machines",
  "/api/promotion/{promotionId}/machines/{serialNumber}": "/api/promotion/999999/machines/VM-1",
  "/api/promotion/{promotionId}/soft-delete": "/api/promotion/999999/soft-delete",
  "/api/promotions": "/api/promotions",
  "/api/test_codes": "/api/test_codes",
  "/api/transactions": "/api/transactions",
};

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

const whoCalls = (method: string, path: string): Who =>
  callsOfUsers.includes(`${method} ${path}`) ? "api user" : "api";

/** Every address with its rule: one for each route, and one for each path of the API's route. */
export const addresses: [string, Access][] = [
  ...Object.entries(accessMatrix),
  ...Object.entries(apiAddresses).map(([pattern, path]): [string, Access] => [
    path,
    path.startsWith("/users")
      ? { path, loader: "api admin", action: "api admin" }
      : { path, loader: whoCalls("GET", pattern), action: whoCalls("POST", pattern) },
  ]),
];

/** Whether a row is of the API, which knows bearer tokens only. */
export function isApiRow(id: string): boolean {
  return /^([\w/]*routes)?\/(api|auth|users|file|products)\b/.test(id);
}

/** The route that answers a row's address: one of the API answers all below its first segment. */
export function routeOfRow(id: string): string {
  return id in accessMatrix ? id : `routes/${id.split("/")[1]}.$`;
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
