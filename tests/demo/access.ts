import type { Rule } from "../security/access-matrix";

/** Roles that may run the loader and the action of each route of the demo area. */
export const demoRules: Record<string, Rule> = {
  "demo/routes/app._demo": ["viewer", "none", "/app/demo"],
  "demo/routes/app.demo": ["viewer", "none"],
  "demo/routes/app.demo.pictures.$name[.]svg": ["viewer", "none", "/app/demo/pictures/bali.svg"],
  "demo/routes/app.$section.$page": ["viewer", "none", "/app/ui/badge"],
  "demo/routes/app.charts.line": ["viewer", "none"],
  "demo/routes/app.extra.calendar": ["viewer", "viewer"],
  "demo/routes/app.grid": ["viewer", "viewer"],
  "demo/routes/app.maps.google": ["viewer", "none"],
  "demo/routes/app.ui.modal": ["viewer", "none"],
  "demo/routes/app.ui.modal.$dialog": ["viewer", "viewer", "/app/ui/modal/live"],
  "demo/routes/app.ui.progress": ["viewer", "none"],
  "demo/routes/app.ecommerce.gridproducts": ["viewer", "none"],
  "demo/routes/app.ecommerce.management": ["viewer", "none"],
  "demo/routes/app.ecommerce.management.delete": [
    "user",
    "user",
    "/app/ecommerce/management/delete?ids=999999",
  ],
  "demo/routes/app.ecommerce.management_.create": ["user", "user"],
  "demo/routes/app.ecommerce.management_.edit.$productId": ["user", "user"],
  "demo/routes/app.ecommerce.product.($productId)": ["viewer", "none", "/app/ecommerce/product"],
  "demo/routes/products.$": ["api", "api user", "/products"],
};
