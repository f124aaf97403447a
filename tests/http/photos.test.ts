import { randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { readPhoto } from "../../app/features/people/photos.server";
import * as images from "../factories/images";
import { encodeForm } from "../support/multipart";
import { usePerson } from "../support/person";
import { plainBrowser } from "../support/plain-browser";
import { repetitions } from "../support/repetitions";
import { addUser, type Answer, openSessionOf, useServer } from "../support/server";
import { expectRejection } from "../support/session";

const server = useServer();
const address = "/app/user/edit/profile";
const person = usePerson(server);
const { audited } = person;

type Upload = { name?: string; type?: string; key?: string; to?: string };

/** Sends a file as the form does. */
async function upload(
  bytes: Buffer,
  { name = "me.png", type = "image/png", key = randomUUID(), to = address }: Upload = {},
): Promise<Answer> {
  const form = new FormData();
  form.set("intent", "upload-photo");
  form.set("__rvfInternalFormId", "photo-upload");
  form.set("idempotency_key", key);
  form.set("photo", new File([new Uint8Array(bytes)], name, { type }));
  const sending = { method: "POST", cookie: person.cookie, ...(await encodeForm(form)) };
  return server.send(to, sending);
}

const photos = () =>
  db()("avatars").where({ user_id: person.userId }).select("id", "name", "content");

async function uploaded(bytes: Buffer, options: Upload = {}): Promise<Buffer> {
  const answer = await upload(bytes, options);
  expect(answer.status, answer.body.slice(0, 500)).toBe(303);
  const { userId: id } = person;
  const { avatar_id } = await db()("users").where({ id }).first();
  return (await readPhoto(avatar_id as string, { id, role: "user" })).content;
}

describe("a photo", () => {
  it.each([
    ["PNG", images.png, "a.PNG", "image/png"],
    ["JPEG", images.jpeg, "a.jpg", "image/jpeg"],
    ["JPEG with the long ending", images.jpeg, "a.jpeg", "image/jpeg"],
    ["JPEG as Windows may save it", images.jpeg, "a.jfif", "image/jpeg"],
    ["WebP", images.webp, "a.webp", "image/webp"],
    ["PNG that is named a JPEG", images.png, "a.jpg", "image/jpeg"],
  ])("as %s becomes a small WebP and the avatar", async (_kind, make, name, type) => {
    const stored = await uploaded(await make(), { name, type });
    const { format, width, height } = await sharp(stored).metadata();
    expect({ format, width, height }).toEqual({ format: "webp", width: 256, height: 256 });
    expect(await audited("user.photo_added")).toHaveLength(1);
  });

  it("has its size behind its name, whatever direction that is written in", async () => {
    await upload(await images.png(), { name: "תמונה.png" });
    const page = await person.browser.open(address);
    expect(page.html).toContain("<bdi>תמונה.png</bdi>");
  });

  it("is shown in the top bar and the gallery, and the icon again after it is deleted", async () => {
    await upload(await images.png(), { name: "C:\\Users\\me\\Beach & sun.png" });
    const page = await person.browser.open(address);
    const [photo] = await photos();
    const header = /<header.*?<\/header>/s.exec(page.html)![0];
    expect(header).toContain(`src="/app/profile/photos/${photo.id}"`);
    expect(page.text).toContain("Beach & sun.png");
    expect(page.text).not.toContain("Users");
    const asked = await page.follow("Delete Beach & sun.png");
    expect(asked.text).toContain('Delete the photo "Beach & sun.png"?');
    expect(asked.text).toContain("It is your avatar: your icon is shown instead.");
    await asked.follow("Cancel");
    expect(await photos()).toHaveLength(1);
    const deleted = await asked.press("Delete photo");
    expect(deleted.html).toContain("Photo deleted");
    expect(deleted.text).toContain("No photos yet.");
    expect(deleted.html).not.toContain("/app/profile/photos/");
    const again = await asked.press("Delete photo");
    expect(again.html).toContain("This photo is already deleted.");
    expect(await audited("user.photo_deleted")).toHaveLength(1);
  });

  it("is chosen among several, and gives way to an icon", async () => {
    await upload(await images.png(), { name: "first.png" });
    await upload(await images.jpeg(), { name: "second.png" });
    const used = await person.browser.press(address, "Use first.png as avatar");
    expect(used.html).toContain("Avatar updated successfully");
    const first = (await photos()).find(({ name }) => name === "first.png")!;
    expect(used.html.match(new RegExp(first.id as string, "g"))!.length).toBeGreaterThan(1);
    const chooser = await person.browser.open("/app/profile/avatar");
    expect(chooser.valuesOf("avatarIcon")).toEqual([]);
    const icon = await chooser.press("Save avatar", { avatarIcon: "music" });
    expect(icon.html).not.toContain("/app/profile/photos/");
    expect(await photos()).toHaveLength(2);
  });

  it("is chosen once by each form, as an icon is, also if another avatar was chosen since", async () => {
    await upload(await images.png(), { name: "first.png" });
    await upload(await images.jpeg(), { name: "second.png" });
    const list = await person.browser.open(address);
    const chooser = await person.browser.open("/app/profile/avatar");
    const avatar = () => db()("users").where({ id: person.userId }).first();
    await list.press("Use first.png as avatar");
    const chooseIcon = () => chooser.press("Save avatar", { avatarIcon: "music" });
    await chooseIcon();
    await list.press("Use first.png as avatar");
    expect(await avatar()).toMatchObject({ avatar_icon: "music", avatar_id: null });
    await db()("users").where({ id: person.userId }).update({ avatar_icon: "pets" });
    await chooseIcon();
    expect(await avatar()).toMatchObject({ avatar_icon: "pets" });
  });

  it("is the last one of ten", async () => {
    const content = await images.webp();
    await db()("avatars").insert(
      Array.from({ length: 10 }, (_, n) => ({ user_id: person.userId, name: `${n}`, content })),
    );
    const answer = await upload(await images.png());
    expect(answer.status).toBe(409);
    expect(await photos()).toHaveLength(10);
    expect(answer.body).toContain("You have <!-- -->10<!-- --> photos.");
  });
});

describe("an upload", () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${images.marker}</svg>`);
  const html = Buffer.from(`<!doctype html>${images.marker}`);
  const pdf = Buffer.from(`%PDF-1.7\n${images.marker}`);
  const icon = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0]);
  const notAnImage = "You must upload an image";
  const tooBig = "File is too big.";
  const invalidFormat = "Invalid format";
  const cut = async () => (await images.jpeg()).subarray(0, 900);
  const large = async () => Buffer.concat([await images.png(), Buffer.alloc(2 * 1024 * 1024)]);

  it.each<[string, () => Buffer | Promise<Buffer>, Upload, string]>([
    ["nothing", () => Buffer.alloc(0), { name: "", type: "application/octet-stream" }, notAnImage],
    ["HTML", () => html, { name: "a.html", type: "text/html" }, notAnImage],
    ["a PDF", () => pdf, { name: "a.pdf", type: "application/pdf" }, notAnImage],
    ["more than 2 MiB", large, {}, tooBig],
    ["400 million pixels", images.pixelBomb, {}, tooBig],
    ["an SVG with a script", () => svg, { name: "a.svg", type: "image/svg+xml" }, invalidFormat],
    ["an SVG that is named a PNG", () => svg, {}, invalidFormat],
    ["HTML that is named a PNG", () => html, {}, invalidFormat],
    ["a PDF that is named a PNG", () => pdf, {}, invalidFormat],
    ["a PNG that is named HTML", images.png, { name: "a.html" }, invalidFormat],
    ["a GIF", images.gif, { name: "a.gif", type: "image/gif" }, invalidFormat],
    ["a GIF that is named a PNG", images.gif, {}, invalidFormat],
    ["a TIFF that is named a PNG", images.tiff, {}, invalidFormat],
    ["an icon that is named a PNG", () => icon, {}, invalidFormat],
    ["half a JPEG", cut, { name: "a.jpg", type: "image/jpeg" }, invalidFormat],
    ["0 bytes", () => Buffer.alloc(0), {}, invalidFormat],
    ["1 byte", () => Buffer.from([0x89]), {}, invalidFormat],
  ])("of %s is refused", async (_kind, make, options, message) => {
    const answer = await upload(await make(), options);
    expectRejection(answer, 422, message);
    expect(answer.body).toContain("<title>Error: Profile - Edit your account");
    expect(await photos()).toHaveLength(0);
    expect(await audited("user.photo_added")).toHaveLength(0);
  });

  it("rejects many decompression bombs at once without keeping them in memory", async () => {
    const bomb = images.pixelBomb();
    const noise = Buffer.alloc(2 * 1024 * 1024 - 1_000, bomb.subarray(0, 64));
    await upload(bomb);
    const before = await server.residentBytes();
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await server.residentBytes());
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const answers = await Promise.all(
      Array.from({ length: repetitions(6, 50) }, (_, index) =>
        upload(index % 2 === 0 ? bomb : noise),
      ),
    );
    isOver = true;
    await watching;
    // 503: too many are being decoded, which is a refusal as well.
    for (const { status } of answers) expect([422, 429, 503]).toContain(status);
    expect(await photos()).toHaveLength(0);
    // Their bodies have 100 MB; the pixels of one bomb would have 1,200.
    expect((most - before) / 1024 / 1024).toBeLessThan(400);
    expect((await upload(await images.png())).status).toBe(303);
  });

  it.each<[string, () => Promise<Buffer>]>([
    [
      "HTML behind a PNG",
      async () => Buffer.concat([await images.png(), Buffer.from(images.marker)]),
    ],
    [
      "a ZIP behind a JPEG",
      async () =>
        Buffer.concat([await images.jpeg(), Buffer.from(`PK\u0003\u0004${images.marker}`)]),
    ],
    ["metadata", images.jpegWithMetadata],
  ])("loses %s", async (_kind, make) => {
    const bytes = await make();
    expect(bytes.includes(images.marker)).toBe(true);
    const stored = await uploaded(bytes);
    expect(stored.includes(images.marker)).toBe(false);
    const { exif, xmp, icc, orientation } = await sharp(stored).metadata();
    expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("keeps the first frame of an animation", async () => {
    const stored = await uploaded(await images.animatedWebp(100), { name: "a.webp" });
    expect((await sharp(stored).metadata()).pages ?? 1).toBe(1);
  });

  it("stores a picture of noise that fits its column", async () => {
    const noise = randomBytes(512 * 512 * 4);
    const raw = { width: 512, height: 512, channels: 4 } as const;
    const bytes = await sharp(noise, { raw }).png().toBuffer();
    const stored = await uploaded(bytes);
    expect(stored.length).toBeLessThanOrEqual(64 * 1024);
  });

  it.each([
    "../../etc/passwd.png",
    "..\\..\\boot.png",
    "%2e%2e%2fa.png",
    `${"x".repeat(5_000)}.png`,
  ])("named %j is stored in the database under an id", async (name) => {
    await uploaded(await images.png(), { name });
    const [photo] = await photos();
    expect(photo.name).not.toMatch(/[/\\]/);
    expect(photo.name.length).toBeLessThanOrEqual(200);
  });

  it("rejects more than the server reads with the same message", async () => {
    const answer = await upload(Buffer.alloc(3 * 1024 * 1024));
    expectRejection(answer, 413, "File is too big.");
  });

  it("accepts large bodies in this form only, and in its file only", async () => {
    const elsewhere = await upload(Buffer.alloc(300 * 1024), { to: "/app/user/edit" });
    const urlencoded = await server.send(address, {
      method: "POST",
      body: { firstName: "x".repeat(300 * 1024) },
      cookie: person.cookie,
    });
    expect([elsewhere.status, urlencoded.status]).toEqual([413, 413]);
  });

  it("without a session leads to the sign-in page and back to the form", async () => {
    await db()("sessions").where({ user_id: person.userId }).delete();
    for (const bytes of [await images.png(), Buffer.alloc(255 * 1024)]) {
      const answer = await upload(bytes);
      expect(answer.status).toBe(307);
      expect(answer.headers.location).toBe(
        `/login?returnTo=${encodeURIComponent(address)}&restore=1`,
      );
    }
  });
});

describe("the file of a photo", () => {
  let path = "";
  beforeEach(async () => {
    await upload(await images.png());
    const [photo] = await photos();
    path = `/app/profile/photos/${photo.id}`;
  });

  it("is cached by its user's browser, checked each time, and runs nothing", async () => {
    const { status, headers } = await server.send(path, { cookie: person.cookie });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "private, no-cache",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    const ifNoneMatch = { "If-None-Match": headers.etag! };
    const again = await server.send(path, { cookie: person.cookie, headers: ifNoneMatch });
    expect([again.status, again.body]).toEqual([304, ""]);
    const signedOut = await server.send(path, { headers: ifNoneMatch });
    expect(signedOut.status).toBe(302);
  });

  it("is its user's and admins' only", async () => {
    const other = await addUser(`${randomUUID()}@example.com`);
    const stranger = await openSessionOf(other.email);
    expect((await server.send(path, { cookie: stranger })).status).toBe(404);
    expect((await server.send(path, { cookie: await openSessionOf() })).status).toBe(200);
    const id = path.split("/").at(-1)!;
    const body = { intent: "use-photo", id, idempotency_key: randomUUID() };
    const used = await server.send(address, { method: "POST", body, cookie: stranger });
    const browser = plainBrowser(server, stranger);
    const told = await browser.open(used.headers.location!);
    expect(told.text).toContain("This photo is already deleted");
    expect(await db()("users").where({ id: other.id }).first()).toMatchObject({ avatar_id: null });
    const asked = await browser.open(`${address}/delete/${id}`);
    expect(asked.text).toContain("Photo not found.");
    expect(asked.hasButton("Delete photo")).toBe(false);
    await server.send(`${address}/delete/${id}`, { method: "POST", cookie: stranger });
    expect(await photos()).toHaveLength(1);
  });

  it.each([
    "../../../package.json",
    "..%2f..%2fpackage.json",
    "..%252f..%252fpackage.json",
    "....//package.json",
    "%00",
    "x%00.webp",
    "users/avatar/1.png",
    "%5c%5chost%5cshare",
    "00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-000000000000'--",
  ])("is not at %j", async (id) => {
    const { status, body } = await server.send(`/app/profile/photos/${id}`, {
      cookie: person.cookie,
    });
    expect([400, 404]).toContain(status);
    expect(body).not.toContain("promo-console");
  });
});
