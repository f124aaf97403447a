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
  "routes/403": { path: "/403", loader: "anyone", action: "none" },
  "routes/500": { path: "/500", loader: "anyone", action: "none" },
  "routes/admin.$": { path: "/admin/users", loader: "anyone", action: "none" },
  "routes/login": { path: "/login", loader: "visitor", action: "visitor" },
  "routes/logout": { path: "/logout", loader: "anyone", action: "anyone" },
  "routes/preferences": { path: "/preferences", loader: "anyone", action: "anyone" },

  "routes/app": { path: "/app/support", loader: "user", action: "none" },
  "routes/app._index": { path: "/app", loader: "user", action: "none" },
  "routes/app.$": { path: "/app/nowhere", loader: "user", action: "none" },
  "routes/app.check": { path: "/app/check", loader: "user", action: "none" },
  "routes/app.dashboard": { path: "/app/dashboard", loader: "user", action: "none" },
  "routes/app.faq": { path: "/app/faq", loader: "user", action: "none" },
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
  "routes/app.support": { path: "/app/support", loader: "user", action: "none" },

  "routes/api.$": { path: "/api/nowhere", loader: "anyone", action: "anyone" },
  "routes/api.create_promotion": {
    path: "/api/create_promotion",
    loader: "api",
    action: "api",
  },
  "routes/api.download_archive.$massGenerationId": {
    path: "/api/download_archive/999999",
    loader: "api",
    action: "api",
  },
  "routes/api.generate_codes": { path: "/api/generate_codes", loader: "api", action: "api" },
  "routes/api.promotion.$promotionId.deactivate": {
    path: "/api/promotion/999999/deactivate",
    loader: "api",
    action: "api",
  },
  "routes/api.promotion.$promotionId.soft-delete": {
    path: "/api/promotion/999999/soft-delete",
    loader: "api",
    action: "api",
  },
  "routes/api.mass_generation.$massGenerationId.soft-delete": {
    path: "/api/mass_generation/999999/soft-delete",
    loader: "api",
    action: "api",
  },
  "routes/api.machine.$serialNumber.promotions": {
    path: "/api/machine/nobody/promotions",
    loader: "api",
    action: "api",
  },
  "routes/api.machines-list": { path: "/api/machines-list", loader: "api", action: "api" },
  "routes/api.promotion.$promotionId.download_qr": {
    path: "/api/promotion/999999/download_qr",
    loader: "api",
    action: "api",
  },
  "routes/api.promotion.$promotionId.add-machines": {
    path: "/api/promotion/999999/add-machines",
    loader: "api",
    action: "api",
  },
  "routes/api.promotion.$promotionId.machines": {
    path: "/api/promotion/999999/machines",
    loader: "api",
    action: "api",
  },
  "routes/api.promotion.$promotionId.machines_.$serialNumber": {
    path: "/api/promotion/999999/machines/VM-1",
    loader: "api",
    action: "api",
  },
  "routes/api.promotions": { path: "/api/promotions", loader: "api", action: "api" },
  "routes/api.transactions": { path: "/api/transactions", loader: "api", action: "api" },
  "routes/auth.signin.local": { path: "/auth/signin/local", loader: "anyone", action: "anyone" },
  "routes/auth.signout": { path: "/auth/signout", loader: "api", action: "api" },
};
