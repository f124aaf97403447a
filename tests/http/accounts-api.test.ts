import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import * as images from "../factories/images";
import { insertUser } from "../factories/people-and-machines";
import { documented } from "../support/documented-answers";
import { encodeForm } from "../support/multipart";
import { everyNth } from "../support/naughty-strings";
import { addUser, apiOf, issueTokenOf, password, useServer } from "../support/server";
import { ago, rowById } from "../factories/rows";

const server = useServer({ environment: { TRUST_PROXY: "1" } });
let admin = "";
let uploader = "";
let count = 0;

beforeAll(async () => {
  for (const name of ["uploads", "other"]) await addUser(`${name}@example.com`);
  uploader = await issueTokenOf("uploads@example.com");
  admin = await issueTokenOf();
});

/** Calls the API each time from another address, so that no limit ends the tests. */
const call = apiOf(
  documented((target, sending) =>
    server.send(target, {
      ...sending,
      headers: { ...sending?.headers, "X-Forwarded-For": `10.3.0.${++count}` },
    }),
  ),
);
const signIn = async (email: string) =>
  (await call("POST", "/auth/signin/local", { body: { email, password } })).json;
const refresh = (refresh_token: string) =>
  call("POST", "/api/auth/refresh", { body: { refresh_token } });

describe("refreshing", () => {
  it("gives 20 parallel calls the same pair, which works", async () => {
    await addUser("parallel@example.com");
    const first = await signIn("parallel@example.com");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(first.refresh_token)),
    );
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    const { token, refresh_token, expires } = answers[0]!.json;
    expect(Number(expires)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect((await call("GET", "/auth/me", { token })).status).toBe(200);
    const next = await refresh(refresh_token);
    expect([next.status, next.json.token === token]).toEqual([200, false]);
  });

  it("ends everything of a sign-in when a spent token comes back after 10 s", async () => {
    await addUser("stolen@example.com");
    const first = await signIn("stolen@example.com");
    const other = await signIn("stolen@example.com");
    const { json } = await refresh(first.refresh_token);
    await db()("tokens")
      .whereNotNull("spent_at")
      .update({ spent_at: ago("11 seconds") });
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(json.refresh_token)).status).toBe(401);
    expect((await call("GET", "/auth/me", { token: json.token })).status).toBe(401);
    expect((await call("GET", "/auth/me", { token: other.token })).status).toBe(200);
  });

  it("records and mails once that a spent token came back", async () => {
    const { id } = await addUser("told@example.com");
    const first = await signIn("told@example.com");
    await refresh(first.refresh_token);
    await db()("tokens")
      .where({ user_id: id })
      .whereNotNull("spent_at")
      .update({ spent_at: ago("11 seconds") });
    for (let time = 0; time < 2; time++) await refresh(first.refresh_token);
    const rows = await db()("audit_log").where({ action: "user.tokens_revoked", subject_id: id });
    expect(rows).toMatchObject([
      { actor_name: "told@example.com", address: `10.3.0.${count - 1}` },
    ]);
    const mails = await db()("outbox").where({ recipient: "told@example.com" });
    expect(mails).toMatchObject([{ data: { kind: "token_reused" } }]);
  });

  it("ends the access tokens before it after 10 s", async () => {
    await addUser("ends@example.com");
    const first = await signIn("ends@example.com");
    const other = await signIn("ends@example.com");
    const { json } = await refresh(first.refresh_token);
    const statuses = () =>
      Promise.all(
        [first.token, json.token, other.token].map(
          async (token) => (await call("GET", "/auth/me", { token })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    await db()("tokens").update({ expires_at: db().raw("expires_at - interval '10 seconds'") });
    expect(await statuses()).toEqual([401, 200, 200]);
  });

  it("refuses what is no refresh token, and those of a disabled user", async () => {
    const { id } = await addUser("off@example.com");
    const { token, refresh_token } = await signIn("off@example.com");
    // The last character has bits that mean nothing.
    const changed = (refresh_token.startsWith("A") ? "B" : "A") + refresh_token.slice(1);
    for (const wrong of ["", "x", token, changed]) expect((await refresh(wrong)).status).toBe(401);
    expect((await call("POST", "/api/auth/refresh", { body: {} })).status).toBe(400);
    await rowById("users", id).update({ is_disabled: true });
    expect((await refresh(refresh_token)).status).toBe(401);
  });
});

describe("one's own account", () => {
  it("is read and changed, but for what admins decide", async () => {
    await addUser("own@example.com");
    const { token } = await signIn("own@example.com");
    const body = { first_name: " Ada ", company: "Analytical", avatar_icon: "music" };
    const changed = await call("PUT", "/api/auth/user", { token, body });
    expect(changed.json).toMatchObject({ ...body, first_name: "Ada", email: "own@example.com" });
    expect((await call("GET", "/api/auth/user", { token })).json).toEqual(changed.json);
    const phone = await call("PUT", "/api/auth/user", { token, body: { phone: "123" } });
    expect(phone.json).toEqual({ ...changed.json, phone: "123" });
    for (const field of ["role", "email", "disabled", "user_id", "api_key"]) {
      const refused = await call("PUT", "/api/auth/user", { token, body: { [field]: "admin" } });
      expect(refused.status, field).toBe(422);
    }
    const icon = await call("PUT", "/api/auth/user", { token, body: { avatar_icon: "skull" } });
    expect(icon.json.fields).toEqual({ avatar_icon: "Choose an avatar" });
  });

  it("is told of all fields of a profile that are wrong", async () => {
    const body = { first_name: "x".repeat(101), phone: 1, company: "a\0", avatar_icon: "skull" };
    const { json } = await call("PUT", "/api/auth/user", { token: await issueTokenOf(), body });
    expect(Object.keys(json.fields).sort()).toEqual(Object.keys(body).sort());
  });

  it("gets a new password for the current one, and every token ends", async () => {
    await addUser("changes@example.com");
    const { token } = await signIn("changes@example.com");
    const update = (currentPassword: string, newPassword = "an unlikely sequence of plums") =>
      call("PUT", "/auth/password-update", { token, body: { currentPassword, newPassword } });
    expect((await update("wrong")).json.fields).toEqual({
      currentPassword: "The password is wrong",
    });
    expect((await update(password, "short")).status).toBe(422);
    expect((await update(password, password)).json.fields).toEqual({
      newPassword: "Choose a password that you don't use now",
    });
    const updated = await update(password);
    expect([updated.status, updated.json]).toEqual([200, { message: "Password updated" }]);
    expect((await call("GET", "/auth/me", { token })).status).toBe(401);
  });

  it("asks for a reset mail with the same answer for every address", async () => {
    await addUser("known@example.com");
    const ask = (email: string) =>
      call("POST", "/auth/send-password-reset-email", { body: { email } });
    const [known, unknown] = [await ask("known@example.com"), await ask("unknown@example.com")];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(known.status).toBe(200);
    const wrong = { token: "vql_wrong", password: "an unlikely sequence of plums" };
    expect((await call("PUT", "/auth/password-reset", { body: wrong })).status).toBe(409);
    expect((await call("PUT", "/auth/verify-email", { body: { token: "x" } })).status).toBe(409);
    const signUp = { email: "new@example.com", password: "an unlikely sequence of plums" };
    expect((await call("POST", "/auth/signup", { body: signUp })).status).toBe(404);
  });
});

describe("users", () => {
  it("are listed page by page, sorted and filtered", async () => {
    for (const name of ["Ann", "Bob", "Cleo"])
      await insertUser({ email: `api-${name}@example.com`.toLowerCase(), first_name: name });
    const list = await call("GET", "/users?email=api-&sort=-firstName&limit=2", { token: admin });
    expect(list.json.count).toBe(3);
    expect(list.json.rows).toMatchObject([{ firstName: "Cleo" }, { firstName: "Bob" }]);
    const beyond = await call("GET", "/users?email=api-&limit=2&page=9", { token: admin });
    expect(beyond.json).toEqual({ rows: [], count: 3 });
    for (const wrong of ["limit=101", "page=0", "sort=password_hash", "nonsense=1"])
      expect((await call("GET", `/users?${wrong}`, { token: admin })).status, wrong).toBe(400);
  });

  it("are created with an invitation, and changed in part", async () => {
    const data = { email: "Made@example.com", firstName: "Made", role: "user" };
    const created = await call("POST", "/users", { token: admin, body: { data } });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      email: "made@example.com",
      firstName: "Made",
      lastName: "",
      role: "user",
      disabled: false,
      emailVerified: false,
    });
    expect(JSON.stringify(created.json)).not.toMatch(/password|token|hash/i);
    expect(await db()("outbox").where({ recipient: "made@example.com" })).toHaveLength(1);
    const path = `/users/${created.json.id}`;
    const body = { id: created.json.id, data: { lastName: "Up", disabled: true } };
    const edited = await call("PUT", path, { token: admin, body });
    expect(edited.json).toMatchObject({ firstName: "Made", lastName: "Up", disabled: true });
    expect((await call("GET", path, { token: admin })).json).toEqual(edited.json);
    const wrong = {
      data: { email: "no address", role: "owner", lastName: 5, emailVerified: true },
    };
    const errors = {
      email: "Enter an email address, like name@example.com",
      lastName: "lastName must be text",
      role: "role must be admin, user or viewer",
      emailVerified: "This field is not known",
    };
    for (const [method, to] of [
      ["PUT", path],
      ["POST", "/users"],
    ] as const) {
      const refused = await call(method, to, { token: admin, body: wrong });
      expect([refused.status, refused.json.fields]).toEqual([422, errors]);
    }
    const inherited = '{"__proto__":{"first_name":"X"},"constructor":1}';
    const refused = await call("PUT", "/api/auth/user", {
      token: admin,
      body: JSON.parse(inherited),
    });
    expect(Object.keys(refused.json.fields!)).toEqual(["__proto__", "constructor"]);
    const bad = await call("POST", "/users", { token: admin, body: { data: { role: "owner" } } });
    expect(bad.json.fields).toEqual({ email: "Email is required", role: errors.role });
    expect((await call("DELETE", path, { token: admin })).status).toBe(200);
    expect((await call("GET", path, { token: admin })).status).toBe(404);
  });

  it("edits a user whose stored values break a rule by now, as long as they are not sent", async () => {
    const { id } = await addUser("old-rule@example.com", "user");
    await db()("users").where({ id }).update({ email: "old rule@localhost" });
    const path = `/users/${id}`;
    const edited = await call("PUT", path, { token: admin, body: { data: { lastName: "New" } } });
    expect([edited.status, edited.json.lastName, edited.json.email]).toEqual([
      200,
      "New",
      "old rule@localhost",
    ]);
    const sent = { data: { email: "old rule@localhost" } };
    expect((await call("PUT", path, { token: admin, body: sent })).status).toBe(422);
  });

  it("edits no user where the body names another one", async () => {
    const { id } = await addUser("named-elsewhere@example.com", "user");
    const path = `/users/${id}`;
    const edit = (sentId: unknown) =>
      call("PUT", path, { token: admin, body: { id: sentId, data: { lastName: "New" } } });
    for (const other of [Number(id) + 1, "", "x"]) {
      const refused = await edit(other);
      expect([refused.status, refused.json.fields]).toEqual([
        422,
        { id: "id must be that of the user in the address" },
      ]);
    }
    expect((await edit(Number(id))).json.lastName).toBe("New");
    expect((await edit(id)).status).toBe(200);
  });

  it("can't remove themselves", async () => {
    const me = await call("GET", "/auth/me", { token: admin });
    const path = `/users/${me.json.id}`;
    expect((await call("DELETE", path, { token: admin })).status).toBe(403);
    const body = { data: { role: "user" } };
    expect((await call("PUT", path, { token: admin, body })).status).toBe(403);
  });
});

type Upload = { file?: Blob; filename?: string; path?: string; key?: string };

async function upload({ file, filename, path, key }: Upload) {
  const form = new FormData();
  if (file) form.set("file", file, "me.png");
  if (filename !== undefined) form.set("filename", filename);
  const { headers, ...sending } = await encodeForm(form);
  const { status, json } = await call("POST", path ?? "/file/upload/users/avatar", {
    token: uploader,
    headers: { ...headers, ...(key && { "Idempotency-Key": key }) },
    ...sending,
  });
  return { status, json };
}

const png = async () => new Blob([new Uint8Array(await images.png())], { type: "image/png" });

const download = (privateUrl: string, token = uploader, headers = {}) =>
  call("GET", `/file/download?privateUrl=${encodeURIComponent(privateUrl)}`, {
    token,
    headers,
  });

describe("the upload of a photo", () => {
  it("becomes a file that its user and admins read at its private URL", async () => {
    const { status, json } = await upload({ file: await png(), filename: "Beach.png" });
    expect(status).toBe(201);
    const { id, privateUrl } = json as { id: string; privateUrl: string };
    expect(json).toMatchObject({
      name: "Beach.png",
      privateUrl: `users/avatar/${id}.webp`,
      publicUrl: `${server.origin}/file/download?privateUrl=users%2Favatar%2F${id}.webp`,
      new: false,
    });
    const read = await fetch(json.publicUrl as string, {
      headers: { Authorization: `Bearer ${uploader}` },
    });
    const bytes = Buffer.from(await read.arrayBuffer());
    expect(bytes.length).toBe(json.sizeInBytes);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 256 });
    expect(read.headers.get("Cache-Control")).toBe("private, no-cache");
    expect((await download(privateUrl, admin)).status).toBe(200);
    expect((await download(privateUrl, await issueTokenOf("other@example.com"))).status).toBe(404);
    const { user_id } = (await call("GET", "/api/auth/user", { token: uploader })).json;
    const user = await call("GET", `/users/${user_id}`, { token: admin });
    expect(user.json.avatar).toEqual([json]);
    const etag = read.headers.get("ETag")!;
    expect((await download(privateUrl, uploader, { "If-None-Match": etag })).status).toBe(304);
  });

  it("is answered in the same way when it is repeated after the photo was deleted", async () => {
    const sending = { file: await png(), filename: "Beach.png", key: randomUUID() };
    const first = await upload(sending);
    await rowById("avatars", String(first.json.id)).delete();
    expect(await upload(sending)).toEqual(first);
  });

  it("is rejected with the sentences of the form", async () => {
    const errorOf = async (content: BlobPart, type = "image/png") =>
      (await upload({ file: new Blob([content], { type }) })).json.fields;
    expect(await errorOf("<svg/>", "text/plain")).toEqual({ file: "You must upload an image" });
    expect(await errorOf("no image")).toEqual({ file: "Invalid format" });
    expect(await errorOf(new Uint8Array(2_200_000))).toEqual({ file: "File is too big." });
    const huge = await upload({ file: new Blob([new Uint8Array(2_400_000)]) });
    expect(huge).toEqual({ status: 413, json: { error: "File is too big." } });
    expect((await upload({ filename: "no file.png" })).status).toBe(422);
  });

  it("is stored nowhere but among the avatars", async () => {
    for (const path of ["/file/upload", "/file/upload/users", "/file/upload/users/avatar/x"])
      expect((await upload({ file: await png(), path })).status, path).toBe(404);
  });
});

describe("the download of a photo", () => {
  it("finds nothing at a path that was not given out", async () => {
    const { json } = await upload({ file: await png() });
    const { id } = json as { id: string };
    const close = [
      `users/avatar/${id}`,
      `users/avatar/${id}.png`,
      `/users/avatar/${id}.webp`,
      `users/avatar/../avatar/${id}.webp`,
      `users/avatar/${id}.webp\0`,
      `USERS/avatar/${id}.webp`,
      `users%2Favatar%2F${id}.webp`,
    ];
    const traversals = [
      "../",
      "..\\",
      "%2e%2e%2f",
      "%252e%252e%252f",
      "....//",
      "/",
      "C:\\",
      "\\\\h\\",
    ];
    const targets = ["etc/passwd", "package.json", ".data/secret", "users/avatar/x.webp", "\0"];
    const paths = traversals.map((start, nth) => start.repeat(3) + targets[nth % targets.length]!);
    for (const path of ["", ...close, ...paths, ...everyNth(36)])
      expect((await download(path)).status, path).toBe(404);
  });
});
