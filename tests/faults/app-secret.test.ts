import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashSecret, issueTokens, newSecret } from "../../app/features/sign-in/tokens.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertWebhook } from "../factories/webhooks";
import { dataFolder, startProduct } from "../support/app";
import { testSecret } from "../support/app-secret";
import { openClone } from "../support/postgres";
import { inSoak } from "../support/repetitions";
import { addUser, cookieOf, password, redeemAt, send, signInNewUser } from "../support/server";
import { happen } from "../support/webhook-deliveries";
import { startReceiver } from "../support/webhook-receiver";

let url = "";
let close = async () => {};
let target: Awaited<ReturnType<typeof insertRedeemable>>;
const held = {} as Record<"cookie" | "token" | "personalKey" | "machineKey", string>;
const flashId = randomBytes(9).toString("base64url");

beforeAll(async () => {
  ({ url, close } = await openClone());
  held.cookie = await signInNewUser();
  const session = await db()("sessions").first<{ id_hash: Buffer; user_id: string }>();
  const user = { id: session.user_id, credentialsVersion: 1 };
  await db()("flash_messages").insert({
    id: flashId,
    session_id_hash: session.id_hash,
    kind: "success",
    message: "Kept",
    hide_after_ms: 1,
  });
  held.token = (await issueTokens(user, { actor: { ...user, email: "" } })).token;
  held.personalKey = newSecret("vqk_");
  await db()("api_keys").insert({
    user_id: user.id,
    hash: hashSecret(held.personalKey),
    scopes: "{read}",
    last_four: "last",
    expires_at: db().raw("now() + interval '1 day'"),
  });
  held.machineKey = (await makeKey()).secret;
  target = await insertRedeemable();
});
afterAll(() => close());

/** Asks with everything that people and machines hold. */
async function useEverything(secret: string) {
  const { origin, stop } = await startProduct(url, { APP_SECRET: secret });
  const bearer = (held: string) => ({ Authorization: `Bearer ${held}` });
  const get = (path: string, headers: Record<string, string>) => send(origin, path, { headers });
  const answers = await Promise.all([
    get("/app/support", { Cookie: held.cookie }),
    get("/api/machines-list", bearer(held.token)),
    get("/api/machines-list", bearer(held.personalKey)),
    redeemAt(origin, held.machineKey, request(target)),
  ]);
  const { body } = await get(`/app/support?flash=${flashId}`, { Cookie: held.cookie });
  await stop();
  return { statuses: answers.map(({ status }) => status), hasMessage: body.includes("Kept") };
}

it("stores no secret as a hash that APP_SECRET is no part of", async () => {
  const stored = await Promise.all([
    ...["tokens", "api_keys"].map((table) => db()(table).pluck<Buffer[]>("hash")),
    db()("sessions").pluck<Buffer[]>("id_hash"),
  ]);
  const all = [held.cookie.split("=")[1]!, held.token, held.personalKey, held.machineKey];
  const isPlainHash = (hash: Buffer) =>
    all.some((secret) => createHash("sha256").update(secret).digest().equals(hash));
  expect(stored.flat()).toHaveLength(5);
  expect(stored.flat().filter(isPlainHash)).toEqual([]);
});

it("lets nobody in under another APP_SECRET, and everybody again under the one before", async () => {
  const another = await useEverything("another secret of at least 32 bytes");
  expect(another).toEqual({ statuses: [302, 401, 401, 401], hasMessage: false });
  const before = await useEverything(testSecret);
  expect(before).toEqual({ statuses: [200, 200, 200, 201], hasMessage: true });
});

inSoak(it)(
  "calls no webhook under another APP_SECRET, and goes on by itself under the one before",
  async () => {
    const receiver = await startReceiver();
    await insertWebhook({ url: receiver.url, event_types: ["machine.deleted"] });
    await happen();
    const delivery = () =>
      db()("webhook_deliveries").first<{ state: string; last_error: string }>();
    const environment = { APP_SECRET: "another secret of at least 32 bytes", WEBHOOK_PRIVATE: "1" };
    const another = await startProduct(url, environment);
    await expect
      .poll(delivery)
      .toMatchObject({ last_error: expect.stringContaining("APP_SECRET has changed") as string });
    await another.stop();
    expect(receiver.calls).toEqual([]);
    const before = await startProduct(url, { ...environment, APP_SECRET: testSecret });
    await expect.poll(delivery).toMatchObject({ state: "delivered" });
    await before.stop();
    expect(receiver.calls).toHaveLength(1);
  },
);

it("lets an admin with an app in again, once the owner of the database has removed what the lost APP_SECRET protects", async () => {
  const email = "locked-out@example.com";
  const { id } = await addUser(email, "admin");
  await db()("second_factors").insert({
    user_id: id,
    secret: Buffer.of(1),
    confirmed_at: db().fn.now(),
  });
  await db()("recovery_codes").insert({ user_id: id, hash: Buffer.alloc(32) });
  const environment = { APP_SECRET: "another secret of at least 32 bytes", REQUIRE_2FA: "admin" };
  const { origin, stop } = await startProduct(url, environment);
  const signIn = () => send(origin, "/login", { method: "POST", body: { email, password } });
  expect((await signIn()).body).toContain("Two-step verification");
  const statement = /delete from [^`]*(?=`)/.exec(readFileSync("README.md", "utf8"))![0];
  await db().raw(statement);
  const cookie = cookieOf(await signIn());
  const { headers } = await send(origin, "/app/dashboard", { cookie });
  expect(headers.location).toBe("/app/profile/second-factor");
  await stop();
});

it("lets an admin who lost the password in by a file without SMTP_URL, in a restored database once its owner lets mails go", async () => {
  const email = "no-mails@example.com";
  await addUser(email, "admin");
  await db()("site_settings").update({ is_outgoing_paused: true });
  const { origin, stop, output } = await startProduct(url, {
    APP_SECRET: testSecret,
    DATA_DIR: dataFolder(),
  });
  await send(origin, "/password-reset", { method: "POST", body: { intent: "send", email } });
  const [statement] = /update site_settings [^`]*(?=`)/.exec(readFileSync("README.md", "utf8"))!;
  await db().raw(statement);
  await expect.poll(output).toContain(`A mail to ${email} is in `);
  const [, file] = /no-mails@example\.com is in (.*)/.exec(output())!;
  // As README says how to read it.
  const mail = readFileSync(file!, "utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(mail).toContain(`${origin}/password-reset?token=vql_`);
  await stop();
});
