import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { plainBrowser } from "../support/plain-browser";
import { readZip } from "../support/read-zip";
import { send, type Sending } from "../support/server";
import { admin } from "./console";

const terms = {
  discount_type: "percentage",
  expiration_date: "31/12/2099",
  machines: ["VM-1", "VM-2"],
};
const codes = 20;

/** 503, and what the proxy answers when an instance ends in the middle of a request. */
const tryAgain = [502, 503, 504];

/**
 * A person who signs in, creates a code and a mass generation, downloads its archive, and reads list, dashboard and
 * report, again and again. Whatever is not answered is sent again as it was.
 */
export function startPerson(origin: string) {
  const statuses = new Map<number, number>();
  let isRunning = true;
  let journeys = 0;

  async function persist<Answer extends { status: number }>(
    attempt: () => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const answer = await attempt().catch(() => null);
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (answer && !tryAgain.includes(status)) return answer;
      await delay(500);
    }
  }

  async function travel(): Promise<void> {
    const browser = plainBrowser(
      { send: (target: string, sending?: Sending) => persist(() => send(origin, target, sending)) },
      "",
    );
    const home = await browser.press("/login", "Login", admin);
    expect(home.html).toContain("Hi, Admin");

    const form = await browser.open("/app/qr-generation");
    const name = `Single ${journeys}`;
    const made = await form.press("Create code", { promotionName: name, discount: "25", ...terms });
    // Not its message, which is shown once: a page that was asked for again lacks it.
    expect(made.text).toContain(name);

    const massForm = await browser.open("/app/qr-generation/mass");
    const many = `Many ${journeys}`;
    const generation = await massForm.press("Generate codes", {
      name: many,
      num_codes: String(codes),
      discount_value: "25",
      ...terms,
    });
    expect(generation.text).toContain(many);
    const { pathname } = new URL(generation.address, origin);
    const Cookie = [...browser.cookies].map(([cookie, value]) => `${cookie}=${value}`).join("; ");
    const archive = await persist(async () => {
      const answer = await fetch(`${origin}${pathname}/archive.zip`, { headers: { Cookie } });
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
    });
    expect((await readZip(archive.body)).entries).toHaveLength(codes + 1);

    expect((await browser.open("/app/qr-list")).html).toContain(name);
    expect((await browser.open("/app/dashboard")).status).toBe(200);
    expect((await browser.open("/app/reports")).status).toBe(200);
  }

  const running = (async () => {
    while (isRunning) {
      await travel();
      journeys++;
      await delay(1_000);
    }
  })();
  // A failure is reported by stop().
  running.catch(() => {});

  return {
    codes,
    journeys: () => journeys,
    /** How often each status was answered; 0 is no answer. */
    statuses,
    /** Waits until the journey ends. */
    async stop() {
      isRunning = false;
      await running;
    },
  };
}
