import { hash } from "@node-rs/argon2";
import type { Client } from "pg";
import { expect, type BrowserContext, type Page } from "playwright/test";
import { sampleMachines } from "../../migrations/seeds/sample-machines.js";
import { requestedCode } from "../factories/approvals";
import { admin } from "../support/browser-app";

export { admin };

/** @property token of the API, for an app that is not on the database of the run */
type App = { origin: string; token?: string };

/** @property expiresOn YYYY-MM-DD */
export type PromotionOptions = { machines?: string[]; expiresOn?: string };

export const sampleSerials = sampleMachines.map(({ serialNumber }) => serialNumber);

/** Signs the admin in to the apps of a run: the value of the cookie, and a token of the API. */
export type AdminSecrets = { session: string; token: string };

export const adminSecrets = () => JSON.parse(process.env.ADMIN_SECRETS!) as AdminSecrets;

/**
 * Creates a promotion of 10 % through the API.
 * @returns its id, and its code as screens show it
 */
export async function createPromotion(
  app: App,
  name: string,
  options: PromotionOptions = {},
): Promise<{ id: string; code: string }> {
  const promotion = {
    promotionName: name,
    discount: 10,
    discount_type: "percentage",
    machines: options.machines ?? [],
    expiration_date: options.expiresOn ? `${options.expiresOn}T23:59:59` : null,
  };
  const answer = await fetch(`${app.origin}/api/create_promotion`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: `Bearer ${app.token ?? adminSecrets().token}`,
    },
    body: JSON.stringify(promotion),
  });
  const content = await answer.text();
  if (!answer.ok) throw new Error(`The API answered ${answer.status} ${content}`);
  const { id, code } = JSON.parse(content) as { id: number; code: string };
  return { id: String(id), code: code.match(/.{4}/g)!.join("-") };
}

/** Hash of the admin's password, which users of tests have, too. */
let passwordHash: Promise<string> | undefined;

/** Creates a user who can sign in with the admin's password; for tests that change their user. */
export async function createUser(
  database: Client,
  email: string,
  role: "admin" | "user" | "viewer" = "user",
): Promise<typeof admin> {
  passwordHash ??= hash(admin.password, { memoryCost: 8, timeCost: 1 });
  await database.query(
    `insert into users (email, password_hash, role, email_verified_at) values ($1, $2, $3, now())`,
    [email, await passwordHash, role],
  );
  return { ...admin, email };
}

/** Adds webhook 1, which is disabled and being rotated, with a log; delivery 1 has failed after two attempts. */
export async function addWebhook(database: Client): Promise<void> {
  const headers = { "webhook-id": "b7d1", "webhook-signature": `v1,${"A".repeat(43)}=` };
  const earlier = {
    attemptedAt: new Date(),
    url: "https://example.com/hook",
    requestHeaders: headers,
    durationMs: 12,
    responseStatus: 500,
    responseHeaders: {},
    responseBody: "<h1>Error</h1>",
    error: "The receiver answered 500.",
  };
  await database.query(`
    insert into webhooks (id, url, event_types, secret, previous_secret, previous_secret_until,
      is_enabled, disabled_reason, last_position)
    overriding system value
    values (1, 'https://example.com/hook', '{promotion.redeemed}', '', '', now() + interval '1 day',
      false, 'No event was accepted for 3 days.', 0)
    on conflict do nothing`);
  await database.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, type, subject, occurred_at, state, attempts,
       finished_at, attempted_at, duration_ms, request_url, request_headers, last_error, earlier_attempts)
     overriding system value
     select id, 1, gen_random_uuid(), 'promotion.redeemed', 'promotion:1', now(), state, attempts,
       case when state <> 'pending' then now() end, case when attempts > 0 then now() end, 10000,
       'https://example.com/hook', $1, case when attempts > 0 then 'There was no answer within 10 seconds.' end, $2
     from (values (1, 'failed', 2), (2, 'pending', 0)) delivery (id, state, attempts)
     on conflict do nothing`,
    [headers, JSON.stringify([earlier])],
  );
}

/** Adds request 1, for a single code, as somebody else asked for it. */
export async function addApproval(database: Client): Promise<void> {
  const { email } = await createUser(database, "asker@example.com");
  await database.query(
    `insert into approvals (id, kind, name, codes, asked_by, input) overriding system value
     select 1, 'single', 'Asked for', 1, id, $1 from users where email = $2`,
    [requestedCode("Asked for"), email],
  );
}

/** Fills the sign-in form and sends it. */
export async function submitSignIn(page: Page, { email, password } = admin): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Signs in with a session of its own, for tests that end it. */
export async function signIn(page: Page, user = admin): Promise<void> {
  await page.goto("/login");
  await submitSignIn(page, user);
  await expect(page).toHaveURL(/dashboard/);
}

/**
 * Ends the session in the browser alone. Waits for the page's requests first: without the session they would make it
 * show the sign-in by itself.
 */
export async function signOut(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.context().clearCookies();
}

/** Makes the session that was opened last ask for the password again. */
export async function expirePasswordCheck(database: Client): Promise<void> {
  await database.query(
    `update sessions set password_checked_at = now() - interval '1 hour'
     where created_at = (select max(created_at) from sessions)`,
  );
}

/** Posts a form as a page of the app does. */
export async function postForm(
  context: BrowserContext,
  { origin }: App,
  path: string,
  fields: Record<string, string>,
) {
  return context.request.post(origin + path, {
    headers: {
      Origin: origin,
      "Content-Type": "application/x-www-form-urlencoded",
      // The server may end an idle connection just as it is used again.
      Connection: "close",
    },
    data: new URLSearchParams(fields).toString(),
    maxRedirects: 0,
  });
}

/**
 * Creates a group as its forms do.
 * @returns its id
 */
export async function createGroup(
  context: BrowserContext,
  app: App,
  name: string,
  serials: readonly string[] = [],
): Promise<string> {
  const created = await postForm(context, app, "/app/machine-groups/new", { name, kind: "site" });
  const id = /machine-groups\/(\d+)/.exec(created.headers().location ?? "")![1]!;
  if (serials.length > 0) {
    const fields = { intent: "paste", serials: serials.join("\n") };
    await postForm(context, app, `/app/machine-groups/${id}`, fields);
  }
  return id;
}

/** Deletes every group, so that the next test of the same database finds none. */
export async function deleteGroups(
  context: BrowserContext,
  app: App,
  database: Client,
): Promise<void> {
  const { rows } = await database.query<{ id: string }>("select id from machine_groups");
  for (const { id } of rows) {
    const answer = await postForm(context, app, `/app/machine-groups/${id}/delete`, {});
    if (answer.status() !== 303) throw new Error(`Group ${id} was not deleted: ${answer.status()}`);
  }
}
