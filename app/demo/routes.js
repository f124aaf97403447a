/**
 * Defines the routes of the demo area, whose screens stand in the shell.
 *
 * @type {NonNullable<import("@remix-run/dev").VitePluginConfig["routes"]>}
 */
export const demoRoutes = (defineRoutes) =>
  defineRoutes((route) => {
    route("app", "routes/app/route.tsx", { id: "routes/app" }, () => {
      route("demo/pictures/:name.svg", "demo/routes/app.demo.pictures.$name[.]svg.ts");
      route(undefined, "demo/routes/app._demo.tsx", () => {
        route("demo", "demo/routes/app.demo.tsx");
        route("ecommerce/management", "demo/routes/app.ecommerce.management.tsx", () => {
          route("delete", "demo/routes/app.ecommerce.management.delete.tsx");
        });
        route("ecommerce/management/create", "demo/routes/app.ecommerce.management_.create.tsx");
        route(
          "ecommerce/management/edit/:productId",
          "demo/routes/app.ecommerce.management_.edit.$productId.tsx",
        );
        route(
          "ecommerce/product/:productId?",
          "demo/routes/app.ecommerce.product.($productId).tsx",
        );
        route("ecommerce/gridproducts", "demo/routes/app.ecommerce.gridproducts.tsx");
        route("ui/modal", "demo/routes/app.ui.modal.tsx", () => {
          route(":dialog", "demo/routes/app.ui.modal.$dialog.tsx");
        });
        route("ui/progress", "demo/routes/app.ui.progress.tsx");
        route("charts/line", "demo/routes/app.charts.line.tsx");
        route("maps/google", "demo/routes/app.maps.google.tsx");
        route("extra/calendar", "demo/routes/app.extra.calendar.tsx");
        route("grid", "demo/routes/app.grid.tsx");
        route(":section/:page", "demo/routes/app.$section.$page.tsx");
      });
    });
    route("products/*", "demo/routes/products.$.ts");
  });
