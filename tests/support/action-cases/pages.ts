import { randomUUID } from "node:crypto";
import { db } from "../../../app/db/connection.server";
import { regenerateApiKey } from "../../../app/features/sign-in/api-key.server";
import { createTestCode } from "../../../app/features/test-mode/test-codes.server";
import { accessMatrix, isApiRow, pathOf } from "../../security/access-matrix";
import { demoParams, demoVariants } from "../../demo/action-cases";
import { assign } from "../../factories/assignments";
import { insertFailedMail } from "../../factories/alerts";
import { insertApproval } from "../../factories/approvals";
import { insertImport } from "../../factories/imports";
import { insertGroup } from "../../factories/machine-groups";
import { insertMachine } from "../../factories/people-and-machines";
import { insertPromotion } from "../../factories/promotions";
import { makeKey } from "../../factories/redemptions";
import { insertWebhook } from "../../factories/webhooks";
import { formsOf, type PageForm } from "../html-forms";
import { addUser } from "../server";
import { dismissed, insertAlert, insertDelivery, insertSchedule } from "./settings";
import { activeCode, email, generation, type Walker } from "./walk";

/** A form of a screen, and who sees it. */
export type ScreenForm = PageForm & {
  /** Address of the page that shows it. */
  page: string;
  /** The route that its action belongs to. */
  route: string;
  /** The cookie of whoever sees it. */
  cookie: string;
};

/** The routes of screens, as patterns of their paths; those with fewer parameters come first. */
const patterns = Object.keys(accessMatrix)
  .filter((id) => !isApiRow(id) && !["root", "routes/app", "routes/$", "routes/app.$"].includes(id))
  .map((id) => ({ id, path: pathOf(id, () => "[^/]+") }))
  .map(({ id, path }) => ({ id, path: new RegExp(`^${path}$`) }))
  .sort((a, b) => a.id.split("$").length - b.id.split("$").length);

export function routeOf(address: string): string {
  const path = address.split("?")[0]!;
  const found = patterns.find((pattern) => pattern.path.test(path));
  if (!found) throw new Error(`No route has the address ${address}`);
  return found.id;
}

/** Arranges one of everything, and returns all forms of all screens, each once. */
export async function allForms(walker: Walker): Promise<ScreenForm[]> {
  const { server } = walker;
  const admin = await walker.person("admin");
  const { cookie } = admin;
  await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor: admin });
  await db()("site_settings").update({ sample_data_until: new Date(0) });
  await walker.session(admin.id);
  const params = await arrange(walker, cookie);
  const screens = Object.entries(accessMatrix).filter(
    ([id, { loader }]) => !isApiRow(id) && ["anyone", "viewer", "user", "admin"].includes(loader),
  );
  const addresses = screens
    .map(([id]) => id)
    .filter((id) => /routes\/app\./.test(id) && !/\[[.]\]|\.\$$|photos/.test(id))
    .map((id) => pathOf(id, (param) => params[param] ?? "1"));

  const protectedUser = await walker.person();
  await walker.withApp(protectedUser);
  const asker = await walker.person();
  const passkeys = await walker.person();
  await walker.post("/app/profile/second-factor/passkey", passkeys.cookie, {
    ...(await walker.passkey(passkeys.cookie)).add,
  });
  const ofPerson = { user_id: passkeys.id };
  const [passkeyId] = await db()("passkeys").where(ofPerson).pluck<string[]>("id");
  const pages: [address: string, cookie: string][] = [
    ...addresses.map((address): [string, string] => [address, cookie]),
    ...(await variants(walker, params, cookie)),
    ["/app/profile/second-factor", protectedUser.cookie],
    ["/app/profile/second-factor/turn-off", protectedUser.cookie],
    ["/app/profile/second-factor", passkeys.cookie],
    [`/app/profile/second-factor/remove/${passkeyId}`, passkeys.cookie],
    [`/app/approvals/${await insertApproval(asker.id)}`, asker.cookie],
    ["/login", ""],
    ["/signup", ""],
    ["/password-reset", ""],
    ["/password-reset", await walker.link("password_reset", protectedUser.id)],
    ["/verify-email", await walker.link("email_verification", passkeys.id)],
    ["/undo-email", await walker.undoLink(passkeys.id)],
    ["/invitation", await walker.link("invitation", (await walker.person()).id)],
  ];

  const forms = new Map<string, ScreenForm>();
  const collect = (html: string, page: string, sees: string) => {
    for (const form of formsOf(html, page)) {
      const found = { ...form, page, route: routeOf(form.action), cookie: sees };
      forms.set(keyOf(found), forms.get(keyOf(found)) ?? found);
    }
  };
  for (const [address, sees] of pages) {
    const { status, body } = await server.send(address, { cookie: sees });
    if (status === 200) collect(body, address, sees);
    // Buttons with an address of their own lead away.
    else if (![301, 302, 303].includes(status)) throw new Error(`${address}: ${status}`);
  }
  // Answers to forms, which are pages with a form of their own.
  const user = await addUser(email());
  await walker.withApp(user);
  const { email: address } = user;
  const step = await walker.post("/login", "", {
    email: address,
    password: "a password of the tests",
  });
  collect(step.body, "/login", await walker.secondStep(address));
  const asked = await walker.post("/login", "", { intent: "ask-passkey" });
  collect(asked.body, "/login", "");
  const adding = "/app/profile/second-factor/passkey";
  const added = await walker.post(adding, cookie, { intent: "start", name: "Phone" });
  collect(added.body, adding, cookie);
  const named = { intent: "save", name: "Mine" };
  const conflict = await walker.post("/app/qr-list/views?type=mass", cookie, named);
  collect(conflict.body, "/app/qr-list/views", cookie);
  return [...forms.values()];
}

/** Two forms are the same if they go to one route and have the same fields and buttons. */
function keyOf({ method, route, fields, intents, action }: ScreenForm): string {
  const names = [...new Set(fields.map(({ name }) => name))];
  const buttons = [...new Set(intents.map((intent) => intentName(intent)))];
  // A form by GET is where it leads to.
  return [method, method === "get" ? action.split("?")[0] : route, names, buttons].join(" ");
}

/** The name of an intent without the id that it may hold. */
export const intentName = (intent: string) => intent.split(":")[0]!;

/** Returns ids of one of everything, by the name of the parameter. */
async function arrange(walker: Walker, cookie: string): Promise<Record<string, string>> {
  const { id: promotionId, serial: serialNumber, code } = await activeCode();
  const other = await insertMachine();
  const machine = await insertMachine();
  const groupId = await insertGroup([machine.id], { name: randomUUID() });
  await insertGroup([], { name: randomUUID() });
  await assign("promotions", promotionId, { group_id: groupId });
  const generationId = await generation({ expires_at: new Date("2099-01-01T00:00:00Z") });
  await assign("mass_generations", generationId, { machine_id: machine.id });
  await assign("mass_generations", generationId, { group_id: groupId });
  await insertAlert();
  const { integrationId, id: keyId, actor } = await makeKey();
  await createTestCode(
    {
      discountType: "percentage",
      discountValue: 25,
      isSingleUse: true,
      purpose: "redeemable",
    },
    { actor, idempotencyKey: null },
  );
  const { id: webhookId, delivery: deliveryId } = await insertDelivery();
  const { id: userId } = await walker.person("user", { password_hash: null });
  const operation = await bulkOperation(walker, cookie, "assign");
  await walker.post("/app/qr-list/views?type=single", cookie, { intent: "save", name: "Mine" });
  await walker.post("/app/qr-list/views?type=mass", cookie, { intent: "save", name: "Other" });
  return {
    approvalId: await insertApproval(userId),
    code,
    otherSerial: other.serial_number,
    importId: await insertImport(userId, "checked"),
    promotionId,
    serialNumber,
    groupId,
    generationId,
    integrationId,
    keyId,
    webhookId,
    deliveryId,
    userId,
    operationId: operation.split("/").at(-1)!,
    mailId: await insertFailedMail(),
    scheduleId: await insertSchedule(),
    photoId: "1",
    ...demoParams,
  };
}

/** Opens the confirmation of a bulk action, and returns its path. */
async function bulkOperation({ server }: Walker, cookie: string, action: string) {
  const { id } = await activeCode({ expires_at: new Date("2099-01-01T00:00:00Z") });
  const to = `/app/qr-list/bulk?ids=${id}&intent=${action}`;
  const answer = await server.send(to, { cookie });
  return answer.headers.location!.split("?")[0]!;
}

/** Further states of pages, which show other forms. */
async function variants(walker: Walker, params: Record<string, string>, cookie: string) {
  const inactive = await activeCode({ is_active: false });
  const deleted = await insertPromotion({ is_deleted: true });
  const usedUp = await activeCode({ is_single_use: true, period_uses: 1, activation_count: 1 });
  const [view] = await db()("saved_views").orderBy("id").limit(1).pluck<string[]>("id");
  const { server } = walker;
  await walker.post("/app/qr-list/views", cookie, { intent: "default", id: view! });
  await walker.post("/app/qr-list/views?type=single&page=1", cookie, {
    intent: "save",
    name: "Gone",
  });
  const [gone] = await db()("saved_views").where({ name: "Gone" }).pluck<string[]>("id");
  await walker.post("/app/qr-list/views", cookie, { intent: "delete", id: gone! });
  await walker.post("/app/qr-list/views?type=mass", cookie, { intent: "save", name: "Shared" });
  const [shared] = await db()("saved_views").where({ name: "Shared" }).pluck<string[]>("id");
  await walker.post("/app/qr-list/views", cookie, { intent: "share", id: shared! });
  const disabled = await insertWebhook({ is_enabled: false });
  const rotated = await insertWebhook();
  await walker.post(`/app/webhooks/${rotated.id}`, cookie, { intent: "rotate" });
  await insertSchedule({ is_paused: true });
  await db()("site_settings").update({ is_outgoing_paused: true });
  for (let count = 0; count < 2; count++) {
    const photo = await walker.photo("photo", { intent: "upload-photo" });
    await server.send("/app/user/edit/profile", { method: "POST", cookie, ...photo });
  }
  const [photoId] = await db()("avatars").limit(1).pluck<string[]>("id");
  await walker.holdMachines();
  const second = await walker.person();
  await walker.withApp(second);
  const undo = await activeCode();
  const deactivated = await walker.post(`/app/qr-list/${undo.id}/deactivate?page=1`, cookie, {});
  await insertAlert(dismissed);
  const hidden = await walker.post(`/app/alerts/${await insertAlert()}`, cookie, {
    intent: "dismiss",
  });
  const list = [
    hidden.headers.location!,
    "/app/alerts?state=hidden",
    `/app/imports/${await insertImport(second.id, "imported")}/undo`,
    `/app/qr-list/${inactive.id}`,
    ...[inactive, usedUp].map(({ code }) => `/app/check?code=${code}`),
    `/app/check?code=${params.code}&machine=${params.otherSerial}`,
    "/app/profile?edit=1",
    `/app/user/edit/profile/delete/${photoId}`,
    `/app/qr-generation/${await generation({ is_active: false })}`,
    `/app/qr-generation/${await generation({ is_deleted: true })}/restore`,
    `/app/qr-list/${deleted}/restore`,
    ...[view, shared].map((id) => `/app/qr-list/views?edit=${id}`),
    `/app/machine-groups/${params.groupId}?add=list`,
    `/app/machine-groups/${params.groupId}?add=paste`,
    `/app/webhooks/${disabled.id}`,
    `/app/webhooks/${rotated.id}`,
    `/app/users/${second.id}/edit`,
    `/app/qr-list/${params.promotionId}/machines?question=open`,
    `/app/qr-generation/${params.generationId}/machines?question=open`,
    await bulkOperation(walker, cookie, "extend"),
    await bulkOperation(walker, cookie, "delete"),
    deactivated.headers.location!,
  ];
  return [...list, ...(await demoVariants(walker, cookie))].map((address): [string, string] => [
    address,
    cookie,
  ]);
}
