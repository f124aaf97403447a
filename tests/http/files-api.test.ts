import { beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import * as images from "../factories/images";
import { naughtyStrings } from "../support/naughty-strings";
import { addUser, useServer } from "../support/server";

const server = useServer();
let token = "";
let other = "";
let admin = "";

beforeAll(async () => {
  for (const name of ["uploads", "other"]) await addUser(`${name}@example.com`);
  token = await server.signInToApi("uploads@example.com");
  other = await server.signInToApi("other@example.com");
  admin = await server.signInToApi();
});

type Upload = { file?: Blob; fileName?: string; filename?: string; bearer?: string; path?: string };

async function upload({ file, fileName = "me.png", filename, bearer = token, path }: Upload) {
  const form = new FormData();
  if (file) form.set("file", file, fileName);
  if (filename !== undefined) form.set("filename", filename);
  const { headers, body } = await encoded(form);
  const answer = await server.send(path ?? "/file/upload/users/avatar", {
    method: "POST",
    headers: { ...headers, Authorization: `Bearer ${bearer}` },
    body,
  });
  return { status: answer.status, json: JSON.parse(answer.body) as Record<string, unknown> };
}

async function encoded(form: FormData) {
  const request = new Request("http://localhost", { method: "POST", body: form });
  const type = request.headers.get("Content-Type")!;
  return { headers: { "Content-Type": type }, body: Buffer.from(await request.arrayBuffer()) };
}

const png = async () => new Blob([new Uint8Array(await images.png())], { type: "image/png" });

const download = (privateUrl: string, bearer = token, headers = {}) =>
  server.send(`/file/download?privateUrl=${encodeURIComponent(privateUrl)}`, {
    headers: { Authorization: `Bearer ${bearer}`, ...headers },
  });

describe("an upload", () => {
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
      headers: { Authorization: `Bearer ${token}` },
    });
    const bytes = Buffer.from(await read.arrayBuffer());
    expect(bytes.length).toBe(json.sizeInBytes);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 256 });
    expect(read.headers.get("Cache-Control")).toBe("private, no-cache");
    expect((await download(privateUrl, admin)).status).toBe(200);
    expect((await download(privateUrl, other)).status).toBe(404);
    const etag = read.headers.get("ETag")!;
    expect((await download(privateUrl, token, { "If-None-Match": etag })).status).toBe(304);
  });

  it("is rejected with the sentences of the form", async () => {
    const text = new Blob(["<svg/>"], { type: "text/plain" });
    expect((await upload({ file: text })).json.fields).toEqual({
      file: "You must upload an image",
    });
    const fake = new Blob(["no image"], { type: "image/png" });
    expect((await upload({ file: fake })).json.fields).toEqual({ file: "Invalid format" });
    const large = new Blob([new Uint8Array(2_200_000)], { type: "image/png" });
    expect((await upload({ file: large })).json.fields).toEqual({ file: "File is too big." });
    const huge = new Blob([new Uint8Array(2_400_000)], { type: "image/png" });
    expect(await upload({ file: huge })).toEqual({
      status: 413,
      json: { error: "File is too big." },
    });
    expect((await upload({ filename: "no file.png" })).status).toBe(422);
  });

  it("is stored nowhere but among the avatars", async () => {
    for (const path of ["/file/upload", "/file/upload/users", "/file/upload/users/avatar/x"])
      expect((await upload({ file: await png(), path })).status, path).toBe(404);
  });
});

describe("a download", () => {
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
    const paths = traversals.flatMap((start) => targets.map((target) => start.repeat(3) + target));
    for (const path of ["", ...close, ...paths, ...naughtyStrings.slice(0, 40)])
      expect((await download(path)).status, path).toBe(404);
  });
});
