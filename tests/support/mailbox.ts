import { afterAll, beforeAll, expect } from "vitest";
import { db } from "../../app/db/connection.server";
import { runDueJobs } from "../../app/db/job-runner.server";
import { sharedCodeMail } from "../../app/features/customer-page/shared-code-mail.server";
import { mailJobs } from "../../app/features/mail/mail-jobs.server";
import type { MailTransport } from "../../app/services/mail/mail-transport";
import { smtpTransport } from "../../app/services/mail/smtp-transport.server";
import { bodyOf, startSmtp, type ReceivedMail } from "./smtp";

export const deliverDueMails = (
  transport: MailTransport,
  signals?: Parameters<typeof runDueJobs>[1],
) => runDueJobs(mailJobs(transport, { shared_code: sharedCodeMail }), signals);

/** Runs a mail server for a test file. Call it at the top of the file, and give its `url` to the product. */
export function useMailbox() {
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let stopSmtp = async () => {};
  beforeAll(async () => {
    smtp = await startSmtp({}, (stop) => {
      stopSmtp = stop;
    });
  });
  afterAll(() => stopSmtp());

  return {
    get url() {
      return smtp.url;
    },

    /** Sends what is due, if the server has not done it yet, and returns the mails that have arrived since. */
    async deliver(): Promise<ReceivedMail[]> {
      await deliverDueMails(smtpTransport({ smtpUrl: smtp.url, mailFrom: "promo@example.com" }));
      await expect.poll(() => db()("outbox").where({ state: "pending" })).toEqual([]);
      return smtp.received.splice(0);
    },
  };
}

/** Returns path and query of the link that works once in a mail; undefined without one. */
export function linkIn(mail: ReceivedMail): string | undefined {
  const url = /https?:\/\/[^\s<>"]+token=[\w-]+/.exec(bodyOf(mail))?.[0];
  return url && new URL(url).pathname + new URL(url).search;
}
