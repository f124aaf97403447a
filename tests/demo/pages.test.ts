import { brotliCompressSync, constants } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { demoPages } from "../../app/demo/pages";
import { scriptedPages } from "./scripted-pages";
import { textsOf } from "../support/html";
import { signInNewUser, useServer } from "../support/server";

/** The demo area with nothing but HTTP. */
const server = useServer({ environment: { DEMO_PAGES: "1" } });
let cookie = "";

beforeAll(async () => {
  cookie = await signInNewUser();
});

const get = async (path: string) => {
  const answer = await server.send(path, { cookie });
  return { ...answer, body: answer.body.replaceAll("<!-- -->", "") };
};

/** Bytes of a page on the wire: the server compresses pages with this quality. */
const sentBytes = (html: string) =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;

/** The page without the style sheet that a first visit carries. */
const withoutStyles = (html: string) => html.replace(/<style[\s\S]*?<\/style>/g, "");
const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)![0];

describe("every demo page", () => {
  it.each(demoPages.map(({ path, title }) => [path, title]))(
    "%s is small, named and asks nobody else for anything",
    async (path, title) => {
      const { status, body } = await get(path);
      expect(status).toBe(200);
      expect(textsOf(body, "h1")).toEqual([title]);
      expect(textsOf(body, "title")[0]).toBe(`${title} - Promo Console`);
      const html = withoutStyles(body);
      expect(sentBytes(html)).toBeLessThanOrEqual(14 * 1024);
      expect(html).not.toMatch(/(src|srcset|action|data|poster)="(https?:)?\/\//);
      expect(html).not.toMatch(/ style="/);
    },
  );

  it.each(demoPages.map(({ path }) => path).filter((path) => !scriptedPages.includes(path)))(
    "%s sends no script",
    async (path) => {
      expect((await get(path)).body).not.toContain("<script");
    },
  );

  it("is linked by the index, which the sidebar opens as a document", async () => {
    const { body } = await get("/app/demo");
    for (const { path, label } of demoPages)
      expect(mainOf(body)).toMatch(new RegExp(`href="${path}"[^>]*>${label}<`));
    expect(body).toMatch(/<a[^>]*aria-current="page"[^>]*href="\/app\/demo"/);
    expect((await get("/app/ui/badge")).body).toMatch(/aria-current="page"[^>]*href="\/app\/demo"/);
  });

  it("that is unknown is a 404 inside the shell", async () => {
    const { status, body } = await get("/app/ui/nothing");
    expect(status).toBe(404);
    expect(mainOf(body)).toContain("Back to Home");
  });
});
