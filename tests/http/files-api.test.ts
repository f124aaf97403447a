import { beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import * as images from "../factories/images";
import { encodeForm } from "../support/multipart";
import { everyNth } from "../support/naughty-strings";
import { addUser, issueTokenOf, useServer } from "../support/server";

const server = useServer();
let token = "";
let other = "";
let admin = "";

beforeAll(async () => {
  for (const name of ["uploads", "other"]) await addUser(`${name}@example.com`);
  token = await issueTokenOf("uploads@example.com");
  other = await issueTokenOf("other@example.com");
  admin = await issueTokenOf();
});

type Upload = { file?: Blob; fileName?: string; filename?: string; bearer?: string; path?: string };

async function upload({ file, fileName = "me.png", filename, bearer = token, path }: Upload) {
  const form = new FormData();
  if (file) form.set("file", file, fileName);
  if (filename !== undefined) form.set("filename", filename);
  const { status, json } = await server.call("POST", path ?? "/file/upload/users/avatar", {
    token: bearer,
    ...(await encodeForm(form)),
  });
  return { status, json };
}

const png = async () => new Blob([new Uint8Array(await images.png())], { type: "image/png" });

const download = (privateUrl: string, bearer = token, headers = {}) =>
  server.call("GET", `/file/download?privateUrl=${encodeURIComponent(privateUrl)}`, {
    token: bearer,
    headers,
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
    const paths = traversals.map((start, nth) => start.repeat(3) + targets[nth % targets.length]!);
    for (const path of ["", ...close, ...paths, ...everyNth(36)])
      expect((await download(path)).status, path).toBe(404);
  });
});
