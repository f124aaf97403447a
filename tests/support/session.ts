import { beforeAll, expect } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashSecret } from "../../app/features/sign-in/tokens.server";
import { textOfMain } from "./html";
import { plainBrowser } from "./plain-browser";
import { addUser, type Answer, openSessionOf, type Sending, type Server } from "./server";

/** The fields of a form; one with several values is sent once for each. */
export type Fields = Record<string, string | string[]> | [string, string][];

const pairsOf = (fields: Fields): [string, string][] =>
  Object.entries(Array.isArray(fields) ? {} : fields)
    .flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]))
    .concat(Array.isArray(fields) ? fields : []);

const readable = (body: string) =>
  body.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

/** Asserts that an answer or a page rejects something with a message. */
export function expectRejection(
  { status, ...answer }: { status: number } & ({ body: string } | { html: string }),
  expected: number,
  message: string,
): void {
  expect(readable("body" in answer ? answer.body : answer.html)).toContain(message);
  expect(status).toBe(expected);
}

/** Opens pages and posts forms with a cookie. Bodies come as people read them, but for brackets and double quotes. */
export function sessionOf(server: Server, cookie = "") {
  const read = async (path: string, sending: Sending): Promise<Answer> => {
    const answer = await server.send(path, { cookie: session.cookie, ...sending });
    return { ...answer, body: readable(answer.body) };
  };
  const session = {
    cookie,
    get: (path: string, sending: Sending = {}) => read(path, sending),
    post: (path: string, fields: Fields = {}, sending: Sending = {}) =>
      read(path, { method: "POST", body: pairsOf(fields), ...sending }),
    page: async (path: string) => (await read(path, {})).body,
    /** Returns the text of a page, with a blank for every tag. */
    text: async (path: string) => textOfMain((await read(path, {})).body),
    /** Returns the page that an answer leads to. */
    follow: async ({ headers }: Answer) => (await read(headers.location!, {})).body,
    /** Opens a page without scripts, whose links and buttons work. */
    open: (path: string) => plainBrowser(server, session.cookie).open(path),
    /** Makes the password be asked for again. */
    makeStale: () =>
      db()("sessions")
        .where({ id_hash: hashSecret(session.cookie.split("=")[1]!) })
        .update({ password_checked_at: db().raw("now() - interval '10 minutes 1 second'") }),
  };
  return session;
}

/** Signs a user in for the tests of a file, and adds any but the admin. Call it at the top of the file. */
export function useSession(server: Server, email = "admin@example.com") {
  const session = sessionOf(server);
  beforeAll(async () => {
    if (email !== "admin@example.com") await addUser(email);
    session.cookie = await openSessionOf(email);
  });
  return session;
}
