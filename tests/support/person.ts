import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { db } from "../../app/db/connection.server";
import { plainBrowser } from "./plain-browser";
import { addUser, openSession, password, type Server } from "./server";

/**
 * Adds a user before each test of a file, and opens a session. Its fields are known when a test runs.
 * @param options.signsIn whether the session comes from a sign-in, which costs a password hash
 */
export function usePerson(server: Server, { signsIn = false } = {}) {
  const person = {
    email: "",
    userId: "",
    /** The cookie of the user's session. */
    cookie: "",
    browser: undefined as unknown as ReturnType<typeof plainBrowser>,

    /** Returns what the audit log has of an action of the user. */
    audited: (action: string) => db()("audit_log").where({ action, actor_id: person.userId }),

    async isSignedIn(cookie: string): Promise<boolean> {
      return (await server.send("/app/support", { cookie })).status === 200;
    },

    async canSignIn(secret = password): Promise<boolean> {
      const body = { email: person.email, password: secret };
      return (await server.send("/login", { method: "POST", body })).status === 303;
    },

    /** Makes the password of all sessions of the user be asked for again. */
    async makeStale(): Promise<void> {
      await db()("sessions")
        .where({ user_id: person.userId })
        .update({ password_checked_at: db().raw("now() - interval '10 minutes 1 second'") });
    },
  };

  beforeEach(async () => {
    person.email = `${randomUUID()}@example.com`;
    ({ id: person.userId } = await addUser(person.email));
    person.cookie = await (signsIn ? server.signIn(person.email) : openSession(person.userId));
    person.browser = plainBrowser(server, person.cookie);
  });
  return person;
}
