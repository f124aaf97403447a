import type { SendMailOptions } from "nodemailer";
import type { OutgoingMail } from "./mail-transport";

/**
 * Splits MAIL_FROM: 'Promo Console <promo@example.com>', or an address alone.
 * @param senderName goes with an address alone
 */
function parseSender(mailFrom: string, senderName: string): { name: string; address: string } {
  const [, name = senderName, address = mailFrom] = /^([^<]*?)\s*<([^<>]+)>$/.exec(mailFrom) ?? [];
  return { name: name.replace(/^"(.*)"$/, "$1"), address };
}

/**
 * Returns a mail as nodemailer takes it. The envelope and all addresses are structured values, and files and URLs are
 * off, so that no text of a mail can add a recipient, a header or an attachment.
 */
export function toMessage(mail: OutgoingMail, mailFrom: string): SendMailOptions {
  const from = parseSender(mailFrom, mail.senderName);
  const { recipient, subject, text, html, attachments } = mail;
  return {
    from,
    to: { name: "", address: recipient },
    envelope: { from: from.address, to: [recipient] },
    messageId: `<${mail.messageId}@${from.address.split("@").at(-1)}>`,
    date: mail.createdAt,
    subject,
    text,
    html,
    attachments: attachments.map(({ name, content }) => ({
      filename: name,
      content,
      contentType: typeof content === "string" ? "text/csv; charset=utf-8" : "image/png",
    })),
    // Keeps out-of-office answers away.
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
