/** The mails of the product: each template makes a mail from what its row in the outbox holds. */
import { accountNotice, type AccountNotice } from "./account-notice";
import type { MailContent, MailTable } from "./render-mail";

/** The data that a row of the outbox has for each template: JSON, and never a secret. */
export type TemplateData = {
  test: { askedBy: string };
  password_reset: AccountMail;
  /** `invitedBy` is an email. */
  invitation: AccountMail & { invitedBy: string };
  email_verification: AccountMail;
  account_notice: AccountNotice;
  report: {
    /** 'Daily report' */
    title: string;
    /** '21.11.2026' */
    period: string;
    tables: MailTable[];
    /** Dropped once the mail is sent; rows of older versions have none. */
    attachments?: { name: string; content: string }[];
    notes: string[];
    /** The report's address on this site, which asks for a sign-in. */
    path: string;
    /** Says why the recipient gets it. */
    reason: string;
  };
  /** `path` leads to the webhook on this site. */
  webhook_disabled: { url: string; reason: string; path: string };
  /** `days`: within so many the first of them ends. `path` leads to the integrations on this site. */
  keys_ending: { count: number; days: number; table: MailTable; path: string };
  /** `choice`: when the recipient wants them. `path` leads to the alerts on this site. */
  alerts: { count: number; choice: string; table: MailTable; path: string };
  /** `id` of the promotion; a language of customers. */
  shared_code: { id: string; language: string };
};

/** Templates of mails with a secret, which is read from the database when they are sent. */
type LateTemplateName = "shared_code";

/** Makes the contents of such mails, which features after this one know; null where there is nothing to send. */
export type LateTemplates = {
  [Name in LateTemplateName]: (data: TemplateData[Name]) => Promise<MailContent | null>;
};

/**
 * A mail that opens an account. `isKnown` is false for an address without an account that such a mail may be for:
 * the row is there all the same, so that nobody learns from the time of an answer whether an account exists.
 */
type AccountMail = { minutes: number; isKnown: boolean };

export type TemplateName = keyof TemplateData;

type TemplateContext = {
  /** The public origin, without a slash at its end. */
  origin: string;
  siteName: string;
  /** The absolute URL of the mail's single-use link; null without one. */
  link: string | null;
};

export const templateLabels: Record<TemplateName, string> = {
  test: "Test",
  password_reset: "Password reset",
  invitation: "Invitation",
  email_verification: "Email verification",
  account_notice: "Account notice",
  report: "Report",
  webhook_disabled: "Webhook disabled",
  keys_ending: "Keys that end",
  alerts: "Alerts",
  shared_code: "Shared code",
};

/** A template that returns null has nothing to send: its row is deleted. */
export const templates: {
  [Name in Exclude<TemplateName, LateTemplateName>]: (
    data: TemplateData[Name],
    context: TemplateContext,
  ) => MailContent | null;
} = {
  test: ({ askedBy }, { origin, siteName }) => ({
    subject: `Test mail from ${siteName}`,
    paragraphs: [
      `This mail was sent because ${askedBy} asked for a test.`,
      `${siteName} can send mail.`,
    ],
    action: { label: `Open ${siteName}`, url: origin },
  }),
  password_reset: ({ minutes, isKnown }, { link, siteName }) =>
    isKnown
      ? {
          subject: `Set a new password for ${siteName}`,
          paragraphs: [`Somebody asked for a new password for your account at ${siteName}.`],
          ...(link && { action: { label: "Set a new password", url: link } }),
          notes: [
            `The link works once, within ${minutes} minutes.`,
            "If it was not you, ignore this mail: your password stays as it is.",
          ],
        }
      : null,
  invitation: ({ minutes, invitedBy }, { link, siteName }) => ({
    subject: `Your account at ${siteName}`,
    paragraphs: [
      `${invitedBy} has created an account at ${siteName} for you.`,
      "Choose a password, and then sign in with this email address.",
    ],
    ...(link && { action: { label: "Choose a password", url: link } }),
    notes: [`The link works once, within ${minutes / 60} hours.`],
  }),
  email_verification: ({ minutes, isKnown }, { link, origin, siteName }) =>
    isKnown
      ? {
          subject: `Verify your email address for ${siteName}`,
          paragraphs: [`Somebody signed up at ${siteName} with this address.`],
          ...(link && { action: { label: "Verify this address", url: link } }),
          notes: [
            `The link works once, within ${minutes / 60} hours.`,
            "If it was not you, ignore this mail: nobody can sign in.",
          ],
        }
      : {
          subject: `You have an account at ${siteName}`,
          paragraphs: [
            `Somebody signed up at ${siteName} with this address, which has an account already.`,
            "If it was you, sign in. If you don't know your password, ask for a new one there.",
          ],
          action: { label: "Sign in", url: `${origin}/login` },
        },
  account_notice: accountNotice,
  webhook_disabled: ({ url, reason, path }, { origin, siteName }) => ({
    subject: `A webhook of ${siteName} was disabled`,
    paragraphs: [
      `${siteName} no longer sends events to ${url}.`,
      reason,
      "Once this is repaired, enable the webhook. It goes on where it stopped, with the events that are still kept.",
    ],
    action: { label: "Open the webhook", url: origin + path },
    notes: ["You get this mail because you are an admin."],
  }),
  keys_ending: ({ count, days, table, path }, { origin, siteName }) => {
    const keys = count === 1 ? "A key ends" : `${count} keys end`;
    return {
      subject: `${keys} ${days === 1 ? "within a day" : `within ${days} days`} at ${siteName}`,
      paragraphs: [
        `Then machines that use ${count === 1 ? "it" : "them"} can't redeem codes any more.`,
        "Renew each key on the page of its integration, and give the new one to the system that uses it. For a day the old one works beside it.",
      ],
      tables: [table],
      action: { label: "Open integrations", url: origin + path },
      notes: ["You get this mail because you are an admin."],
    };
  },
  alerts: ({ count, choice, table, path }, { origin, siteName }) => {
    const left = count - table.rows.length;
    return {
      subject: `${count === 1 ? "An alert" : `${count} alerts`} at ${siteName}`,
      paragraphs: [
        count === 1 ? "This alert needs attention." : `${count} alerts need attention.`,
        ...(left > 0 ? [`The first ${table.rows.length} are listed here.`] : []),
      ],
      tables: [table],
      action: { label: "Open alerts", url: origin + path },
      notes: [`You get this mail because you chose '${choice}' on the page Alerts.`],
    };
  },
  report: (
    { title, period, tables, attachments = [], notes, path, reason },
    { origin, siteName },
  ) => ({
    subject: `${title}, ${period}`,
    paragraphs: [`${title} of ${siteName}, ${period}.`],
    tables,
    attachments,
    action: { label: "Open the report", url: origin + path },
    notes: [...notes, reason],
  }),
};
