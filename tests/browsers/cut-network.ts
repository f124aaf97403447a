import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { createPromotion, sampleSerials } from "../browser/arrange";
import {
  countPromotions,
  countRows,
  fillPromotion,
  ownPage,
  signIn,
  type Step,
  type Visit,
} from "./visit";

const banner = "No connection. Your page is kept.";
const noAnswer = "No answer from the server";
/** How long the network is cut, and how soon everything works afterwards, in ms. */
const cutMs = 4_000;
const recoveryMs = 5_000;
const maxRequests = 10;
/**
 * Connections of an engine that doesn't tell its requests. WebKitGTK has no disk cache under WebDriver and asks again for
 * scripts that a link preloads, although the page has them.
 */
const maxConnections = 15;
/** After so many ms without an attempt, nothing is under way. */
const quietMs = 1_000;

/** Steps on a network that is cut in the middle of each. */
export const cutNetwork: Step[] = [
  {
    name: "keeps the page after a link on a cut network, and follows it afterwards",
    isFirstVisit: true,
    async run(visit) {
      const { page, browser, network, engine } = visit;
      await signIn(page, browser, "/app/qr-generation");
      await fillPromotion(page, `${engine} kept`);
      const link = { role: "link", name: "Transactions" } as const;
      await whileCut(visit, async () => {
        network.cut();
        await page.click(link);
        await page.reads(banner);
      });
      assert.equal(await page.path(), "/app/qr-generation");
      assert.equal(await page.value("#promotionName"), `${engine} kept`);
      await page.click(link);
      await page.shows({ role: "heading", name: "Transactions" }, recoveryMs);
    },
  },
  {
    name: "keeps the page when a dialog's script is lost, and opens it afterwards",
    isFirstVisit: true,
    async run(visit) {
      const { page, app, engine } = visit;
      const name = `${engine} cut dialog`;
      await createPromotion(app, name);
      const link = { role: "link", name: `Delete ${name}` } as const;
      await loseDialogScripts(visit, "/app/qr-list");
      await whileCut(visit, async () => {
        await page.click(link);
        await page.reads(banner);
      });
      assert.equal(await page.path(), "/app/qr-list");
      await page.click(link);
      await page.shows({ role: "heading", name: "Confirm deletion" }, recoveryMs);
    },
  },
  {
    name: "keeps a row when the script of its action is lost, and changes it afterwards",
    isFirstVisit: true,
    async run(visit) {
      const { page, app, engine } = visit;
      const name = `${engine} cut action`;
      await createPromotion(app, name, { machines: [sampleSerials[0]!] });
      const button = { role: "button", name: `Deactivate ${name}` } as const;
      await loseDialogScripts(visit, "/app/qr-list");
      await whileCut(visit, async () => {
        await page.click(button);
        await page.reads(banner);
      });
      assert.equal(await page.path(), "/app/qr-list");
      assert.equal(await countRows(page, name, "Inactive"), 0);
      await page.click(button);
      await page.until(
        "the row is inactive",
        async () => (await countRows(page, name, "Inactive")) === 1,
        recoveryMs,
      );
    },
  },
  {
    name: "keeps a form that is sent on a cut network, and sends it once",
    isFirstVisit: true,
    async run(visit) {
      const { page, browser, network, engine } = visit;
      const name = `${engine} cut form`;
      await signIn(page, browser, "/app/qr-generation");
      await fillPromotion(page, name);
      await whileCut(visit, async () => {
        network.cut();
        await page.click({ role: "button", name: "Create code" });
        await page.reads(noAnswer);
      });
      await expectSentOnce(visit, name);
    },
  },
  {
    name: "sends a form once whose answer is lost",
    async run(visit) {
      const { page, network, engine } = visit;
      const name = `${engine} lost answer`;
      await page.open("/app/qr-generation");
      await fillPromotion(page, name);
      await whileCut(visit, async () => {
        const cut = network.cutAt("POST /app/qr-generation");
        await page.click({ role: "button", name: "Create code" });
        await cut;
        // WebKitGTK may not tell the page that a connection was reset; then the page gives up after 30 s.
        await page.reads(noAnswer, "body", 40_000);
      });
      await expectSentOnce(visit, name);
    },
  },
];

/** Signs in to a page, and cuts the network when it asks for the scripts of dialogs and row actions. */
async function loseDialogScripts({ page, browser, network }: Visit, path: string): Promise<void> {
  const cut = network.cutAt("/assets/dialogs-");
  await signIn(page, browser, path);
  await cut;
  await page.until("no script is asked for", async () => network.quietFor() > quietMs);
}

/** Runs a task while the network is cut, for at least `cutMs`, and counts what the browser asks for meanwhile. */
async function whileCut({ network, browser }: Visit, task: () => Promise<void>): Promise<void> {
  const since = Date.now();
  const attemptsBefore = network.attempts();
  await Promise.all([task(), delay(cutMs)]);
  network.mend();
  const requests = browser.requestsSince?.(since);
  if (requests)
    assert.ok(
      requests.length <= maxRequests,
      `${requests.length} requests while the network is cut\n${requests.join("\n")}`,
    );
  else {
    const connections = network.attempts() - attemptsBefore;
    assert.ok(connections <= maxConnections, `${connections} connections while the network is cut`);
  }
}

async function expectSentOnce({ page, app }: Visit, name: string): Promise<void> {
  assert.equal(await page.path(), "/app/qr-generation");
  assert.equal(await page.value("#promotionName"), name);
  await page.click({ role: "button", name: "Try again" });
  await page.arrives(ownPage, recoveryMs);
  assert.equal(await countPromotions(app, name), 1);
}
