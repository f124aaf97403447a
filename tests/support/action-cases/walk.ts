import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll } from "vitest";
import { db } from "../../../app/db/connection.server";
import { createLinkToken, type LinkKind } from "../../../app/features/sign-in/link-tokens.server";
import {
  confirmSecondFactor,
  setUpSecondFactor,
} from "../../../app/features/second-factor/second-factor.server";
import { hashSecret, newSecret } from "../../../app/features/sign-in/tokens.server";
import type { User } from "../../../app/features/sign-in/user";
import type { PasskeyCreation } from "../../../app/features/second-factor/passkey";
import * as images from "../../factories/images";
import { insertUser } from "../../factories/people-and-machines";
import { insertCodes, insertGeneration } from "../../factories/promotions";
import { insertRedeemable } from "../../factories/redemptions";
import { startPlatform, type TestPlatform } from "../platform";
import { makeAuthenticator, passkeyRequestOf } from "../authenticator";
import { encodeForm } from "../multipart";
import { cookieOf, insertSession, password, useServer, type Sending, type Server } from "../server";

/** A request that performs one action. */
export type Performance = Sending & { to: string };

/** An action of a screen or a call, and what the audit log gets of it. */
export type ActionCase = {
  /** The names of its rows; a sentence says why there is none. */
  audited: string[] | { none: string };
  /** Arranges what the action needs, and returns the request that performs it. */
  arrange: (walker: Walker) => Promise<Performance>;
  /** Whether the walked site refuses it and shows no form for it. */
  isRefused?: boolean;
};

type Arrange = ActionCase["arrange"];

/** An action with one row in the audit log, or with several where it is more than one action. */
export const audited = (rows: string | string[], arrange: Arrange): ActionCase => ({
  audited: [rows].flat(),
  arrange,
});

/** An action without a row, and the reason. */
export const unaudited = (none: string, arrange: Arrange): ActionCase => ({
  audited: { none },
  arrange,
});

/**
 * Actions of screens by route, and by the value of their button where there are several; after ': ' stands a case of
 * one.
 */
export type ActionCasesOfScreens = Record<string, ActionCase | Record<string, ActionCase>>;

/** An action on machines of a site without a platform; `tests/http/manual-machines` performs it on one. */
export const withoutPlatform = (row: string, arrange: Arrange): ActionCase => ({
  ...audited(row, arrange),
  isRefused: true,
});

export const browserOnly = "It is kept in a cookie of the browser.";
export const nothingYet = "It changes nothing; the next step does.";
export const platformOnly = "It reads the platform again; what that changes is an event.";

export const email = () => `${randomUUID()}@example.com`;

/** A post of the admin who walks, unless it brings another cookie. */
export const post = (to: string, body: Sending["body"] = {}): Performance => ({ to, body });

/** A post of nobody who is signed in. */
export const unsigned = (to: string, body: Sending["body"]) => ({ ...post(to, body), cookie: "" });

/** An audited action of a new user. */
export const byNewUser = (rows: string, to: string, body: Sending["body"] = {}): ActionCase =>
  audited(rows, async ({ person }) => ({ ...post(to, body), cookie: (await person()).cookie }));

/** A code that is assigned to a machine, so that it is active. */
export async function activeCode(
  row: Record<string, unknown> = {},
): Promise<{ id: string; serial: string; code: string }> {
  const { id, code, serialNumber: serial } = await insertRedeemable(row);
  return { id, code, serial };
}

/** A mass generation with one code. */
export async function generation(row: Record<string, unknown> = {}): Promise<string> {
  const id = await insertGeneration(row);
  await insertCodes(id, 1, row);
  return id;
}

export type Walker = ReturnType<typeof walkerOf>;

/** Starts a server with every screen, on a platform with twenty machines, for the tests of a file. */
export function useWalkedServer(): { server: Server; platform: () => TestPlatform } {
  let platform: TestPlatform;
  beforeAll(async () => {
    const machines = Array.from({ length: 20 }, (_, count) => ({ serialNumber: `WALK-${count}` }));
    platform = await startPlatform({ machines });
  });
  afterAll(() => platform.stop());
  const server = useServer({
    environment: () => ({
      ...platform.environment,
      DEMO_PAGES: "1",
      ALLOW_SIGNUP: "1",
      TRUST_PROXY: "1",
    }),
  });
  return { server, platform: () => platform };
}

/** Arranges people for a walk through all actions. */
export function walkerOf(server: Server, platform: TestPlatform) {
  const { machines } = platform;
  const walker = {
    server,

    /** Inserts a user with a session, without the cost of a password hash. */
    async person(role: "admin" | "user" = "user", row: Record<string, unknown> = {}) {
      const user = await insertUser({ role, password_hash: "x", ...row });
      const { id, email } = user;
      return { id, email, role, ...(await walker.session(id)) };
    },

    session: insertSession,

    /** Returns the cookie that the link of a mail leaves. */
    async link(kind: LinkKind, userId: string): Promise<string> {
      return `link-${kind}=${await createLinkToken(db(), kind, userId)}`;
    },

    /** Returns the cookie that the link leaves which puts an address of a user back. */
    async undoLink(userId: string): Promise<string> {
      const secret = newSecret("vql_");
      await db()("email_undos").insert({
        hash: hashSecret(secret),
        user_id: userId,
        email: email(),
        expires_at: db().raw("now() + interval '1 hour'"),
      });
      return `link-email_undo=${secret}`;
    },

    /** Returns an authenticator app with the secret of a user, who has not confirmed it. */
    async app(user: { id: string; email: string }): Promise<TOTP> {
      return new TOTP({ secret: Secret.fromBase32((await setUpSecondFactor(user)).secret) });
    },

    /** Turns the second factor of a user on; the code of now is still new. */
    async withApp({ id, email }: { id: string; email: string }) {
      const totp = await walker.app({ id, email });
      const code = totp.generate();
      const user = { id, email, firstName: "", avatarIcon: "face", role: "user" } as User;
      const recoveryCodes = await confirmSecondFactor(user, code, {
        actor: user,
        idempotencyKey: null,
      });
      // A code holds from the step before its own to the one after it, so neither is late when a step begins meanwhile.
      return { recoveryCodes, code: () => totp.generate({ timestamp: Date.now() + 30_000 }) };
    },

    /** Asks to add a passkey, and returns the authenticator with its answer. */
    async passkey(cookie: string) {
      const authenticator = makeAuthenticator(server.origin);
      const asked = await walker.post("/app/profile/second-factor/passkey", cookie, {
        intent: "start",
        name: "Phone",
      });
      const credential = authenticator.create(passkeyRequestOf<PasskeyCreation>(asked.body));
      return { authenticator, add: { intent: "add", name: "Phone", credential } };
    },

    /** Makes the platform list too few machines, and returns the list that waits for an admin. */
    async holdMachines(): Promise<string> {
      const { cookie } = await walker.person("admin");
      for (const listed of [machines, machines.slice(0, 1)]) {
        platform.machines = listed;
        await db()("rate_limits").where("key", "like", "machines-refresh:%").delete();
        await walker.post("/app/machines/refresh", cookie, {});
      }
      const { body } = await server.send("/app/machines/confirm", { cookie });
      return /name="held" value="([^"]+)"/.exec(body)?.[1] ?? "";
    },

    post: (to: string, cookie: string, body: Sending["body"]) =>
      server.send(to, { method: "POST", cookie, body }),

    /** Signs in up to the second step, and returns the cookie of that step. */
    async secondStep(email: string): Promise<string> {
      return cookieOf(await walker.post("/login", "", { email, password }));
    },

    /** Returns an upload, as a form with a file. */
    async photo(name: string, fields: Record<string, string> = {}) {
      const form = new FormData();
      form.set("idempotency_key", randomUUID());
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      const bytes = new Uint8Array(await images.png());
      form.set(name, new Blob([bytes], { type: "image/png" }), `${randomUUID()}.png`);
      return encodeForm(form);
    },
  };
  return walker;
}
