/** The mails of the product: each template makes a mail from what its row in the outbox holds. */
import type { MailContent } from "./render-mail";

/** The data that a row of the outbox keeps for each template: JSON, and never a secret. */
export type TemplateData = {
  test: { askedBy: string };
  password_reset: { minutes: number };
};

export type TemplateName = keyof TemplateData;

type TemplateContext = {
  /** The public origin, without a slash at its end. */
  origin: string;
  /** The absolute URL of the mail's single-use link; null without one. */
  link: string | null;
};

export const templateLabels: Record<TemplateName, string> = {
  test: "Test",
  password_reset: "Password reset",
};

export const templates: {
  [Name in TemplateName]: (data: TemplateData[Name], context: TemplateContext) => MailContent;
} = {
  test: ({ askedBy }, { origin }) => ({
    subject: "Test mail from Promo Console",
    paragraphs: [
      `This mail was sent because ${askedBy} asked for a test.`,
      "Promo Console can send mail.",
    ],
    action: { label: "Open Promo Console", url: origin },
  }),
  password_reset: ({ minutes }, { link }) => ({
    subject: "Set a new password for Promo Console",
    paragraphs: ["Somebody asked for a new password for your account at Promo Console."],
    ...(link && { action: { label: "Set a new password", url: link } }),
    notes: [
      `The link works once, within ${minutes} minutes.`,
      "If it was not you, ignore this mail: your password stays as it is.",
    ],
  }),
};
