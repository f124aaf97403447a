import { expect, it } from "vitest";
import { crumbsOf, namedCrumbs } from "./breadcrumb";

it.each([
  ["/app/qr-list", ["App", "QR List"]],
  ["/app/qr-list/12/download", ["App", "QR List", "12", "Download"]],
  ["/app/qr-generation/mass", ["App", "QR Generation", "Mass Generation"]],
  ["/app/qr-generation/12/labels", ["App", "QR Generation", "12", "Labels"]],
  ["/app/machines/", ["App", "Machines"]],
  ["/app/machines/vm-1%2Fb", ["App", "Machines", "vm-1/b"]],
  ["/app/machines/confirm", ["App", "Machines", "Confirm"]],
  ["/app/machines/~../promotions", ["App", "Machines", "..", "Promotions"]],
  ["/app/50%25-off", ["App", "50% Off"]],
  ["/app/machine-groups/12", ["App", "Machine Groups", "12"]],
  ["/app/profile/api-key", ["App", "Profile", "API Key"]],
  ["/app/%E0%A4%A", ["App", "%E0%A4%A"]],
  ["/app/constructor", ["App", "Constructor"]],
  ["/app/user/__proto__", ["App", "User", "__proto__"]],
])("reads %s as %j", (pathname, labels) => {
  expect(crumbsOf(pathname).map((crumb) => crumb.label)).toEqual(labels);
});

it("takes the names of screens from their table, and of other segments from the page", () => {
  const crumbs = crumbsOf("/app/profile/second-factor/start", { start: "First step" });
  expect(crumbs.map(({ label }) => label).slice(2)).toEqual([
    "Two-step Verification",
    "First Step",
  ]);
});

it("leads from a segment without a screen to the screen that stands for it", () => {
  expect(crumbsOf("/app/user/new").slice(1)).toEqual([
    { path: "/app/users", label: "Users" },
    { path: "/app/user/new", label: "Invite User" },
  ]);
  const names = { demo: "Elements", ui: "", "/app/ui": "/app/demo", "/app/grid": "/app/demo" };
  const elements = { path: "/app/demo", label: "Elements" };
  expect(crumbsOf("/app/ui/tabs", names)[1]).toEqual(elements);
  expect(crumbsOf("/app/grid", names).slice(1)).toEqual([
    elements,
    { path: "/app/grid", label: "Grid" },
  ]);
});

it("shows names in the place of ids and serial numbers, and at the end of a path without them", () => {
  const labelsOf = (path: string, name?: string) =>
    namedCrumbs(crumbsOf(path), name).map(({ label }) => label);
  expect(labelsOf("/app/machines/10431/edit")).toEqual(["App", "Machines", "10431", "Edit"]);
  const machine = labelsOf("/app/machines/VM-1/edit", "Food Court");
  expect(machine).toEqual(["App", "Machines", "Food Court", "Edit"]);
  expect(labelsOf("/app/machines/add")).toEqual(["App", "Machines", "Add Machines"]);
  expect(labelsOf("/app/ecommerce/product", "Trainers").at(-1)).toBe("Trainers");
  expect(labelsOf("/app/qr-list/12/labels", "Summer")).toEqual([
    "App",
    "QR List",
    "Summer",
    "Labels",
  ]);
  expect(labelsOf("/app/qr-list/12/labels")).toEqual(["App", "QR List", "Labels"]);
  const photo = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";
  expect(labelsOf(`/app/profile/delete/${photo}`)).toEqual(["App", "Profile", "Delete"]);
});
