import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { isSchemaCurrent } from "../../app/db/migrate.server";
import { findBearer, issueTokens, newSecret } from "../../app/features/users/tokens.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { startApp } from "../support/app";
import { testSecret } from "../support/app-secret";
import { openClone } from "../support/postgres";
import { send, signInNewUser } from "../support/server";
import { prepareEmptyDatabase } from "../support/test-cluster";

const sha256 = (secret: string) => createHash("sha256").update(secret).digest();

/** Makes a row hold what releases before APP_SECRET was used stored of a secret. */
async function storeAsBefore(table: string, column: string, row: object, secret: string) {
  expect(
    await db()(table)
      .where(row)
      .update({ [column]: sha256(secret) }),
  ).toBe(1);
}

describe("a database of the release before APP_SECRET was used", () => {
  let url: string;
  let close: () => Promise<void>;
  let target: Awaited<ReturnType<typeof insertRedeemable>>;
  const held = {} as Record<"cookie" | "token" | "personalKey" | "machineKey", string>;
  const flashId = randomBytes(9).toString("base64url");

  beforeAll(async () => {
    ({ url, close } = await openClone({ isOwner: true }));
    held.cookie = await signInNewUser();
    const [session] = await db()("sessions").select<{ id_hash: Buffer; user_id: string }[]>();
    const user = { id: session!.user_id, credentialsVersion: 1 };
    const idHash = sha256(held.cookie.split("=")[1]!);
    await db()("sessions").update({ id_hash: idHash });
    await db()("flash_messages").insert({
      ...{ id: flashId, session_id_hash: idHash, kind: "success", message: "Kept" },
      hide_after_ms: 1,
    });

    held.token = (await issueTokens(user, { actor: { ...user, email: "" } })).token;
    await storeAsBefore("tokens", "hash", { kind: "access" }, held.token);
    held.personalKey = newSecret("vqk_");
    await db()("api_keys").insert({
      ...{ user_id: user.id, hash: sha256(held.personalKey), scopes: "{read}" },
      ...{ last_four: "last", expires_at: db().raw("now() + interval '1 day'") },
    });
    const machineKey = await makeKey();
    held.machineKey = machineKey.secret;
    await storeAsBefore("api_keys", "hash", { id: machineKey.id }, held.machineKey);
    target = await insertRedeemable();

    await db()("schema_migrations").where({ name: "0017-app-secret.js" }).delete();
    expect(await isSchemaCurrent(db())).toBe(false);
    expect(await findBearer(held.token)).toBeNull();
    await Promise.all([1, 2, 3].map(() => prepareEmptyDatabase(url)));
  });
  afterAll(() => close());

  /** Asks with everything that the people and machines of that release hold. */
  async function useEverything(secret: string) {
    const { origin, ready, signal, ended } = await startApp({
      DATABASE_URL: url,
      APP_SECRET: secret,
    });
    await ready();
    const bearer = (held: string) => ({ Authorization: `Bearer ${held}` });
    const get = (path: string, headers: Record<string, string>) => send(origin, path, { headers });
    const answers = await Promise.all([
      get("/app/support", { Cookie: held.cookie }),
      get("/api/machines-list", bearer(held.token)),
      get("/api/machines-list", bearer(held.personalKey)),
      send(origin, "/api/redemptions", {
        method: "POST",
        origin: null,
        headers: { ...bearer(held.machineKey), "Content-Type": "application/json" },
        body: JSON.stringify(request(target)),
      }),
    ]);
    const { body } = await get(`/app/support?flash=${flashId}`, { Cookie: held.cookie });
    signal("SIGTERM");
    await ended;
    return { statuses: answers.map(({ status }) => status), hasMessage: body.includes("Kept") };
  }

  it("keeps each session, token and key, however many instances start at once", async () => {
    expect(await isSchemaCurrent(db())).toBe(true);
    const all = [held.cookie.split("=")[1]!, held.token, held.personalKey, held.machineKey];
    const stored = await Promise.all([
      ...["tokens", "api_keys"].map((table) => db()(table).pluck<Buffer[]>("hash")),
      db()("sessions").pluck<Buffer[]>("id_hash"),
    ]);
    const isPlainHash = (hash: Buffer) => all.some((secret) => sha256(secret).equals(hash));
    expect(stored.flat()).toHaveLength(5);
    expect(stored.flat().filter(isPlainHash)).toEqual([]);
    expect((await findBearer(held.token))?.user?.id).toBeDefined();
  });

  it("lets nobody in under another APP_SECRET, and everybody again under the one before", async () => {
    const another = await useEverything("another secret of at least 32 bytes");
    expect(another).toEqual({ statuses: [302, 401, 401, 401], hasMessage: false });
    const before = await useEverything(testSecret);
    expect(before).toEqual({ statuses: [200, 200, 200, 201], hasMessage: true });
  });
});
