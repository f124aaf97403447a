import { expect, it } from "vitest";
import { crumbsOf } from "./breadcrumb";

it.each([
  ["/app/qr-list", ["App", "QR List"]],
  ["/app/qr-list/12/download", ["App", "QR List", "12", "Download"]],
  ["/app/qr-generation/mass", ["App", "QR Generation", "Mass Generation"]],
  ["/app/qr-generation/12/labels", ["App", "QR Generation", "12", "Labels"]],
  ["/app/machines/", ["App", "Machines"]],
  ["/app/machines/vm-1%2Fb", ["App", "Machines", "vm-1/b"]],
  ["/app/machines/confirm", ["App", "Machines", "Confirm"]],
  ["/app/machines/~../promotions", ["App", "Machines", "..", "Promotions"]],
  ["/app/50%25-off", ["App", "50% off"]],
  ["/app/machine-groups/12", ["App", "Machine groups", "12"]],
  ["/app/profile/api-key", ["App", "Profile", "API key"]],
  ["/app/%E0%A4%A", ["App", "%E0%A4%A"]],
])("reads %s as %j", (pathname, labels) => {
  expect(crumbsOf(pathname).map((crumb) => crumb.label)).toEqual(labels);
});

it("takes the names of screens from their table, and of other segments from the page", () => {
  const crumbs = crumbsOf("/app/profile/second-factor/start", { start: "First step" });
  expect(crumbs.map(({ label }) => label).slice(2)).toEqual([
    "Two-step verification",
    "First step",
  ]);
});

it("leads from a segment without a screen to the screen that stands for it", () => {
  expect(crumbsOf("/app/user/new").slice(1)).toEqual([
    { path: "/app/users", label: "Users" },
    { path: "/app/user/new", label: "Invite user" },
  ]);
  const names = { ui: "Elements", "/app/ui": "/app/demo" };
  expect(crumbsOf("/app/ui/tabs", names)[1]).toEqual({ path: "/app/demo", label: "Elements" });
});
