import { randomUUID } from "node:crypto";
import { db } from "../../../app/db/connection.server";
import { bulkActions } from "../../../app/features/promotions/lifecycle/bulk-actions";
import { assign } from "../../factories/assignments";
import { insertImport } from "../../factories/imports";
import { insertGroup } from "../../factories/machine-groups";
import { insertMachine } from "../../factories/people-and-machines";
import { insertPromotion } from "../../factories/promotions";
import { encodeForm } from "../multipart";
import {
  activeCode,
  audited,
  browserOnly,
  email,
  generation,
  nothingYet,
  platformOnly,
  post,
  unaudited,
  type ActionCase,
  type ActionCasesOfScreens,
  type Walker,
} from "./walk";

/** Deactivates on the page of a code or a campaign, and takes it back. */
async function undo(path: string, walker: Walker) {
  const { cookie } = await walker.person("admin");
  await walker.post(path, cookie, { intent: "deactivate" });
  return { ...post(path, { intent: "undo" }), cookie };
}

/** Actions of the dialog 'Manage Machines'. */
function machinesDialog(kind: "promotion" | "mass_generation"): Record<string, ActionCase> {
  const owner = async () => {
    const id = kind === "promotion" ? await insertPromotion() : await generation();
    const path = kind === "promotion" ? `/app/qr-list/${id}` : `/app/qr-generation/${id}`;
    const table = kind === "promotion" ? ("promotions" as const) : ("mass_generations" as const);
    return {
      path: `${path}/machines`,
      assign: (row: Parameters<typeof assign>[2]) => assign(table, id, row),
    };
  };
  return {
    add: audited(`${kind}.machines_added`, async () => {
      const { serial_number } = await insertMachine();
      return post((await owner()).path, { intent: "add", machines: serial_number });
    }),
    remove: audited(`${kind}.machine_removed`, async () => {
      const machine = await insertMachine();
      const { path, ...its } = await owner();
      await its.assign({ machine_id: machine.id });
      return post(path, { intent: `remove:${machine.serial_number}` });
    }),
    "remove-group": audited(`${kind}.group_removed`, async () => {
      const groupId = await insertGroup();
      const { path, ...its } = await owner();
      await its.assign({ group_id: groupId });
      return post(path, { intent: `remove-group:${groupId}` });
    }),
    "unassign-all": audited(`${kind}.machines_unassigned`, async () => {
      const machine = await insertMachine();
      const { path, ...its } = await owner();
      await its.assign({ machine_id: machine.id });
      return post(path, { intent: "unassign-all" });
    }),
    ...(kind === "promotion" && {
      refresh: unaudited(platformOnly, async ({ person }) => ({
        ...post((await owner()).path, { intent: "refresh" }),
        cookie: (await person()).cookie,
      })),
    }),
  };
}

/** Action cases on codes that a confirmation was opened for. */
const bulk = Object.fromEntries(
  bulkActions.map((action): [string, ActionCase] => {
    const past = {
      deactivate: "deactivated",
      extend: "edited",
      assign: "machines_added",
      unassign: "machines_removed",
      reschedule: "edited",
      delete: "deleted",
      reactivate: "reactivated",
      restore: "restored",
    }[action];
    return [
      `apply: ${action}`,
      audited(`promotion.${past}`, async ({ server, person }) => {
        const row = {
          ...(action === "restore" && { is_deleted: true }),
          ...(action === "reactivate" && { is_active: false }),
          ...(action === "extend" && { expires_at: new Date("2099-01-01T00:00:00Z") }),
        };
        const codes = [await activeCode(row), await activeCode(row)];
        const { cookie } = await person("admin");
        const query = codes.map(({ id }) => `ids=${id}`).join("&");
        const asked = await server.send(`/app/qr-list/bulk?${query}&intent=${action}`, { cookie });
        const fields: [string, string][] = [["intent", "apply"]];
        if (action === "extend") fields.push(["expiration_date", "31/12/2099"]);
        if (action === "reschedule")
          fields.push(["changes_start", "true"], ["starts_at", "31/12/2099"]);
        if (action === "assign") fields.push(["machines", (await insertMachine()).serial_number]);
        if (action === "unassign")
          for (const { serial } of codes) fields.push(["machines", serial]);
        return { ...post(asked.headers.location!, fields), cookie };
      }),
    ];
  }),
);

const imports: ActionCasesOfScreens = {
  "routes/app.imports_.$importId": {
    confirm: audited("import.confirmed", async ({ person }) => {
      const { id, cookie } = await person();
      const importId = await insertImport(id, "checked");
      return { ...post(`/app/imports/${importId}`, { intent: "confirm" }), cookie };
    }),
  },
  "routes/app.imports_.$importId.undo": audited("import.undone", async ({ person }) => {
    const { id, cookie } = await person();
    return { ...post(`/app/imports/${await insertImport(id, "imported")}/undo`), cookie };
  }),
};

async function savedView(cookie: string, walker: Walker, name = "Singles") {
  await walker.post("/app/qr-list/views?type=single", cookie, { intent: "save", name });
  const [id] = await db()("saved_views").orderBy("id", "desc").limit(1).pluck<string[]>("id");
  return id!;
}

const view = (
  intent: string,
  rows: string,
  fields: Record<string, string> = {},
  earlier: string[] = [],
): ActionCase =>
  audited(rows, async (walker) => {
    const { cookie } = await walker.person();
    // Shared views have different names.
    const name = intent === "replace" ? "Singles" : randomUUID();
    const id = intent === "save" ? "" : await savedView(cookie, walker, name);
    for (const done of earlier)
      await walker.post("/app/qr-list/views", cookie, { intent: done, id });
    const body = { intent, ...(intent === "replace" ? {} : { id }), ...fields };
    return { ...post("/app/qr-list/views?type=mass", body), cookie };
  });

/** The fields of a start and of hours. */
const noTimes = { starts_at: "", closed_on: "" };

/** The fields of a campaign's caps, of which a case fills one. */
const caps = {
  uses: "",
  usesPerDay: "",
  usesPerMachineAndDay: "",
  money: "",
  lowestPrice: "",
  highestDiscount: "",
  version: "1",
};

/** Actions on promotions and mass generations, and on the list of them. */
export const codeActionCases: ActionCasesOfScreens = {
  "routes/app.check": {
    assign: audited("promotion.machines_added", async () => {
      const { serial_number: serialNumber } = await insertMachine();
      const fields = { owner: "promotion", id: await insertPromotion(), serialNumber };
      return post("/app/check", { intent: "assign", ...fields });
    }),
    reactivate: audited("promotion.reactivated", async () => {
      const { id } = await activeCode({ is_active: false });
      return post("/app/check", { intent: "reactivate", owner: "promotion", id });
    }),
    replace: audited("promotion.created", async () => {
      const usedUp = { is_single_use: true, period_uses: 1, activation_count: 1 };
      return post("/app/check", { intent: "replace", id: await insertPromotion(usedUp) });
    }),
  },
  "routes/app.qr-generation": {
    create: audited("promotion.created", async () =>
      post("/app/qr-generation", {
        intent: "create",
        promotionName: "Summer",
        discount_type: "percentage",
        discount: "10",
        expiration_date: "31/12/2099",
        ...noTimes,
      }),
    ),
    switch: unaudited(nothingYet, async () => post("/app/qr-generation", { intent: "switch" })),
  },
  "routes/app.qr-generation_.mass": {
    create: audited("mass_generation.created", async () =>
      post("/app/qr-generation/mass", {
        intent: "create",
        name: "Summer",
        num_codes: "2",
        discount_type: "percentage",
        discount_value: "10",
        expiration_date: "31/12/2099",
        ...noTimes,
      }),
    ),
    switch: unaudited(nothingYet, async () =>
      post("/app/qr-generation/mass", { intent: "switch" }),
    ),
  },
  "routes/app.qr-generation_.$generationId": {
    "": audited("mass_generation.renamed", async () =>
      post(`/app/qr-generation/${await generation()}`, {
        promotionName: "Autumn",
        expiration_date: "",
        version: "1",
        ...noTimes,
      }),
    ),
    ": both values, which are an action each": audited(
      ["mass_generation.renamed", "mass_generation.edited"],
      async () => {
        const id = await generation({ expires_at: new Date("2099-01-01T00:00:00Z") });
        const day = "31/12/2099";
        const values = { promotionName: "Autumn", expiration_date: day, version: "1", ...noTimes };
        return post(`/app/qr-generation/${id}`, values);
      },
    ),
    deactivate: audited("mass_generation.deactivated", async () =>
      post(`/app/qr-generation/${await generation()}`, { intent: "deactivate" }),
    ),
    reactivate: audited("mass_generation.reactivated", async () =>
      post(`/app/qr-generation/${await generation({ is_active: false })}`, {
        intent: "reactivate",
      }),
    ),
    undo: audited("mass_generation.reactivated", async (walker) =>
      undo(`/app/qr-generation/${await generation()}`, walker),
    ),
  },
  "routes/app.qr-generation_.$generationId_.add-codes": audited(
    "mass_generation.codes_added",
    async () => post(`/app/qr-generation/${await generation()}/add-codes`, { num_codes: "2" }),
  ),
  "routes/app.qr-generation_.$generationId_.caps": audited("mass_generation.edited", async () =>
    post(`/app/qr-generation/${await generation()}/caps`, { ...caps, uses: "10" }),
  ),
  "routes/app.qr-list_.$promotionId_.share": audited("promotion.shared", async () =>
    post(`/app/qr-list/${await insertPromotion()}/share`, { email: email(), language: "de" }),
  ),
  "routes/app.qr-list_.$promotionId_.caps": audited("promotion.edited", async () =>
    post(`/app/qr-list/${await insertPromotion()}/caps`, { ...caps, money: "12.50" }),
  ),
  "routes/app.qr-generation_.$generationId.machines": machinesDialog("mass_generation"),
  "routes/app.qr-generation_.$generationId.delete": audited("mass_generation.deleted", async () =>
    post(`/app/qr-generation/${await generation()}/delete`),
  ),
  "routes/app.qr-generation_.$generationId.restore": audited("mass_generation.restored", async () =>
    post(`/app/qr-generation/${await generation({ is_deleted: true })}/restore`),
  ),
  "routes/app.qr-list": {
    columns: unaudited(browserOnly, async () => post("/app/qr-list", { intent: "columns" })),
    refresh: unaudited("It reads the list again.", async () =>
      post("/app/qr-list", { intent: "refresh" }),
    ),
  },
  "routes/app.qr-list.views": {
    save: view("save", "user.view_saved", { name: "Mine" }),
    replace: view("replace", "user.view_replaced", { name: "Singles", taken: "Singles" }),
    rename: view("rename", "user.view_renamed", { name: "Others", version: "1" }),
    share: view("share", "user.view_shared"),
    unshare: view("unshare", "user.view_unshared", {}, ["share"]),
    undo: view("undo", "user.view_restored", {}, ["delete"]),
    delete: view("delete", "user.view_deleted"),
    default: view("default", "user.default_view_chosen"),
    "no-default": audited("user.default_view_chosen", async (walker) => {
      const { cookie } = await walker.person();
      const id = await savedView(cookie, walker);
      await walker.post("/app/qr-list/views", cookie, { intent: "default", id });
      return { ...post("/app/qr-list/views", { intent: "no-default" }), cookie };
    }),
  },
  "routes/app.qr-list.$promotionId.machines": machinesDialog("promotion"),
  "routes/app.qr-list.$promotionId.deactivate": {
    "": audited("promotion.deactivated", async () =>
      post(`/app/qr-list/${(await activeCode()).id}/deactivate`),
    ),
    undo: audited("promotion.reactivated", async () => {
      const { id } = await activeCode({ is_active: false });
      return post(`/app/qr-list/${id}/deactivate`, { intent: "undo" });
    }),
  },
  "routes/app.qr-list.$promotionId.delete": audited("promotion.deleted", async () =>
    post(`/app/qr-list/${await insertPromotion()}/delete`),
  ),
  "routes/app.qr-list.$promotionId.restore": audited("promotion.restored", async () =>
    post(`/app/qr-list/${await insertPromotion({ is_deleted: true })}/restore`),
  ),
  "routes/app.qr-list_.$promotionId": {
    "": audited("promotion.edited", async () =>
      post(`/app/qr-list/${await insertPromotion()}`, {
        promotionName: "Autumn",
        expiration_date: "",
        version: "1",
        ...noTimes,
      }),
    ),
    deactivate: audited("promotion.deactivated", async () =>
      post(`/app/qr-list/${(await activeCode()).id}`, { intent: "deactivate" }),
    ),
    reactivate: audited("promotion.reactivated", async () => {
      const { id } = await activeCode({ is_active: false });
      return post(`/app/qr-list/${id}`, { intent: "reactivate" });
    }),
    undo: audited("promotion.reactivated", async (walker) =>
      undo(`/app/qr-list/${(await activeCode()).id}`, walker),
    ),
  },
  "routes/app.qr-list_.bulk_.$operationId": bulk,
  "routes/app.imports_.new": unaudited(nothingYet, async () => {
    const form = new FormData();
    form.set("kind", "codes");
    const rows = `code,name,discount,uses\n${randomUUID().slice(0, 8)},Walk,20%,single`;
    form.set("file", new File([rows], "codes.csv"));
    return { to: "/app/imports/new", ...(await encodeForm(form)) };
  }),
  ...imports,
};
