import type { Access } from "../security/access-matrix";

const rule = (
  path: string,
  action: "viewer" | "user" | "none" = "none",
  loader: "viewer" | "user" = "viewer",
): Access => ({ path: `/app/${path}`, loader, action });

/** Roles that may run the loader and the action of each route of the demo area. */
export const demoAccess: Record<string, Access> = {
  "demo/routes/app._demo": rule("demo"),
  "demo/routes/app.demo": rule("demo"),
  "demo/routes/app.demo.pictures.$name[.]svg": rule("demo/pictures/bali.svg"),
  "demo/routes/app.$section.$page": rule("ui/badge"),
  "demo/routes/app.charts.line": rule("charts/line"),
  "demo/routes/app.extra.calendar": rule("extra/calendar", "viewer"),
  "demo/routes/app.grid": rule("grid", "viewer"),
  "demo/routes/app.maps.google": rule("maps/google"),
  "demo/routes/app.ui.modal": rule("ui/modal"),
  "demo/routes/app.ui.modal.$dialog": rule("ui/modal/live", "viewer"),
  "demo/routes/app.ui.progress": rule("ui/progress"),
  "demo/routes/app.ecommerce.gridproducts": rule("ecommerce/gridproducts"),
  "demo/routes/app.ecommerce.management": rule("ecommerce/management"),
  "demo/routes/app.ecommerce.management.delete": rule(
    "ecommerce/management/delete?ids=999999",
    "user",
    "user",
  ),
  "demo/routes/app.ecommerce.management_.create": rule(
    "ecommerce/management/create",
    "user",
    "user",
  ),
  "demo/routes/app.ecommerce.management_.edit.$productId": rule(
    "ecommerce/management/edit/999999",
    "user",
    "user",
  ),
  "demo/routes/app.ecommerce.product.($productId)": rule("ecommerce/product"),
  "demo/routes/products.$": { path: "/products", loader: "api", action: "api user" },
};
