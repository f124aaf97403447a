/**
 * Who may run the loader and the action of each route. A route that is not in here fails the
 * tests: add its row together with its guard.
 *
 * - `anyone`: open
 * - `visitor`: only somebody who is not signed in; others are sent home
 * - `user`, `admin`: a session of that role; without one the sign-in page
 * - `api`: a bearer token; cookies count for nothing
 * - `none`: the route has no such function
 */
export type Who = "anyone" | "visitor" | "user" | "admin" | "api" | "none";

export type Access = {
  /** An address of the route, its parameters filled with what mostly does not exist. */
  path: string;
  loader: Who;
  action: Who;
};

export const accessMatrix: Record<string, Access> = {
  root: { path: "/login", loader: "anyone", action: "none" },
  "routes/_index": { path: "/", loader: "anyone", action: "none" },
  "routes/$": { path: "/nowhere", loader: "anyone", action: "none" },
  "routes/admin.$": { path: "/admin/users", loader: "anyone", action: "none" },
  "routes/login": { path: "/login", loader: "visitor", action: "visitor" },
  "routes/logout": { path: "/logout", loader: "anyone", action: "anyone" },
  "routes/preferences": { path: "/preferences", loader: "anyone", action: "anyone" },

  "routes/app": { path: "/app/support", loader: "user", action: "none" },
  "routes/app._index": { path: "/app", loader: "user", action: "none" },
  "routes/app.$": { path: "/app/nowhere", loader: "user", action: "none" },
  "routes/app.check": { path: "/app/check", loader: "user", action: "none" },
  "routes/app.dashboard": { path: "/app/dashboard", loader: "user", action: "none" },
  "routes/app.keyboard": { path: "/app/keyboard", loader: "user", action: "none" },
  "routes/app.machine-groups": { path: "/app/machine-groups", loader: "user", action: "none" },
  "routes/app.machine-groups_.new": {
    path: "/app/machine-groups/new",
    loader: "user",
    action: "user",
  },
  "routes/app.machine-groups_.$groupId": {
    path: "/app/machine-groups/999999",
    loader: "user",
    action: "user",
  },
  "routes/app.machine-groups_.$groupId.delete": {
    path: "/app/machine-groups/999999/delete",
    loader: "user",
    action: "user",
  },
  "routes/app.integrations": { path: "/app/integrations", loader: "admin", action: "admin" },
  "routes/app.integrations_.$integrationId": {
    path: "/app/integrations/999999",
    loader: "admin",
    action: "admin",
  },
  "routes/app.integrations_.$integrationId.revoke.$keyId": {
    path: "/app/integrations/999999/revoke/999999",
    loader: "admin",
    action: "admin",
  },
  "routes/app.machines": { path: "/app/machines", loader: "user", action: "none" },
  "routes/app.machines.$serialNumber.promotions": {
    path: "/app/machines/nobody/promotions",
    loader: "user",
    action: "none",
  },
  "routes/app.machines_.$serialNumber": {
    path: "/app/machines/nobody",
    loader: "user",
    action: "none",
  },
  "routes/app.machines.refresh": {
    path: "/app/machines/refresh",
    loader: "user",
    action: "user",
  },
  "routes/app.machines.confirm": {
    path: "/app/machines/confirm",
    loader: "admin",
    action: "admin",
  },
  "routes/app.profile": { path: "/app/profile", loader: "user", action: "none" },
  "routes/app.qr-generation": { path: "/app/qr-generation", loader: "user", action: "user" },
  "routes/app.qr-generation_.mass": {
    path: "/app/qr-generation/mass",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-generation_.all": {
    path: "/app/qr-generation/all",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-generation_.$generationId.archive[.]zip": {
    path: "/app/qr-generation/999999/archive.zip",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-generation_.$generationId": {
    path: "/app/qr-generation/999999",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-generation_.$generationId.machines": {
    path: "/app/qr-generation/999999/machines",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-generation_.$generationId.delete": {
    path: "/app/qr-generation/999999/delete",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-generation_.$generationId.restore": {
    // The generation must exist, because the dialog lies over its page.
    path: "/app/qr-generation/1/restore",
    loader: "admin",
    action: "admin",
  },
  "routes/app.qr-generation_.$generationId_.labels": {
    path: "/app/qr-generation/999999/labels",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-generation_.$generationId_.labels[.]pdf": {
    path: "/app/qr-generation/999999/labels.pdf",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-generation_.$generationId_.labels[.]svg": {
    path: "/app/qr-generation/999999/labels.svg",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-list": { path: "/app/qr-list", loader: "user", action: "user" },
  "routes/app.qr-list.views": { path: "/app/qr-list/views", loader: "user", action: "user" },
  "routes/app.qr-list.$promotionId.download": {
    path: "/app/qr-list/999999/download",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-list.$promotionId.machines": {
    path: "/app/qr-list/999999/machines",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-list.$promotionId.deactivate": {
    path: "/app/qr-list/999999/deactivate",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-list.$promotionId.delete": {
    path: "/app/qr-list/999999/delete",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-list.$promotionId.restore": {
    path: "/app/qr-list/999999/restore",
    loader: "admin",
    action: "admin",
  },
  "routes/app.qr-list_.$promotionId": {
    path: "/app/qr-list/999999",
    loader: "user",
    action: "user",
  },
  "routes/app.qr-list_.$promotionId.reactivate": {
    path: "/app/qr-list/999999/reactivate",
    loader: "admin",
    action: "admin",
  },
  "routes/app.qr-list_.$promotionId.qr[.]svg": {
    path: "/app/qr-list/999999/qr.svg",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-list_.$promotionId.qr[.]png": {
    path: "/app/qr-list/999999/qr.png",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-list_.bulk": { path: "/app/qr-list/bulk", loader: "user", action: "user" },
  "routes/app.qr-list_.bulk_.$resultKey": {
    path: "/app/qr-list/bulk/999999",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-list_.export[.]csv": {
    path: "/app/qr-list/export.csv",
    loader: "user",
    action: "none",
  },
  "routes/app.qr-list_.qr-codes[.]zip": {
    path: "/app/qr-list/qr-codes.zip",
    loader: "user",
    action: "none",
  },
  "routes/app.transactions": { path: "/app/transactions", loader: "user", action: "none" },
  "routes/app.transactions_.export[.]csv": {
    path: "/app/transactions/export.csv",
    loader: "user",
    action: "none",
  },

  "routes/api.$": { path: "/api/nowhere", loader: "anyone", action: "anyone" },
  "routes/auth.signin.local": { path: "/auth/signin/local", loader: "anyone", action: "anyone" },
  "routes/auth.signout": { path: "/auth/signout", loader: "api", action: "api" },
};

/** Addresses of the API that need a bearer token, one for each path of its operations. */
export const apiAddresses: Record<string, string> = {
  "/api/create_promotion": "/api/create_promotion",
  "/api/download_archive/{massGenerationId}": "/api/download_archive/999999",
  "/api/generate_codes": "/api/generate_codes",
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
  "/api/transactions": "/api/transactions",
};

/** Every address with its rule: one for each route, and one for each path of the API's route. */
export const addresses: [string, Access][] = [
  ...Object.entries(accessMatrix),
  ...Object.values(apiAddresses).map((path): [string, Access] => [
    path,
    { path, loader: "api", action: "api" },
  ]),
];
