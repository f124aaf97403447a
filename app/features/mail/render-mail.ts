import { truncate } from "../../forms/storable-text";
import { escapeHtml as escape } from "../../format/text";

/** The content of a mail, from which both its forms are made. */
export type MailContent = {
  subject: string;
  /** Language of its texts; English by default. */
  language?: string;
  /** Name of the sender, who signs it; the site by default. */
  sender?: string;
  paragraphs: readonly string[];
  tables?: readonly MailTable[];
  /** The one thing to do; the URL is absolute. */
  action?: { label: string; url: string };
  /** Said last. */
  notes?: readonly string[];
  attachments?: readonly MailAttachment[];
};

/** A CSV file, or the bytes of a PNG image. */
type MailAttachment = { name: string; content: string | Buffer };

/** The first column names the rows; the others are figures. */
export type MailTable = {
  title: string;
  headings: readonly string[];
  rows: readonly (readonly string[])[];
};

export type RenderedMail = {
  senderName: string;
  subject: string;
  text: string;
  html: string;
  attachments: readonly MailAttachment[];
};

/** Renders a mail as text and as HTML that needs no picture, no script and nothing from elsewhere. */
export function renderMail(content: MailContent, siteName: string): RenderedMail {
  const subject = truncate(oneLine(content.subject), 200);
  const { attachments = [], sender = siteName } = content;
  return {
    senderName: sender,
    subject,
    text: toText(content, sender),
    html: toHtml({ ...content, subject }, sender),
    attachments,
  };
}

/** Takes away what could end a header. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
}

function toText(
  { paragraphs, tables = [], action, notes = [] }: MailContent,
  signature: string,
): string {
  return [
    ...paragraphs,
    ...tables.map(tableText),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    `-- \n${signature}`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** Aligns columns with spaces: names to the left, figures to the right. */
function tableText({ title, headings, rows }: MailTable): string {
  const all = [headings, ...rows].map((row) => row.map(oneLine));
  const widths = headings.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  const lines = all.map((row) =>
    widths
      .map((width, at) =>
        at === 0 ? (row[0] ?? "").padEnd(width) : (row[at] ?? "").padStart(width),
      )
      .join("  ")
      .trimEnd(),
  );
  return [title, ...lines].join("\n");
}

const font =
  "font-family:system-ui,'Segoe UI',Roboto,Arial,sans-serif;font-size:15px;line-height:22px";
const cell = "padding:4px 12px 4px 0;border-bottom:1px solid #D3D8E0";

function toHtml(
  { subject, language = "en", paragraphs, tables = [], action, notes = [] }: MailContent,
  signature: string,
): string {
  const paragraph = (text: string) => `<p>${escape(text)}</p>`;
  const link = action && `<p><a href="${escape(action.url)}">${escape(action.label)}</a></p>`;
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escape(subject)}</title></head>`,
    `<body style="margin:0;padding:16px;${font}"><div style="max-width:640px">`,
    ...paragraphs.map(paragraph),
    ...tables.map(tableHtml),
    link ?? "",
    ...notes.map(paragraph),
    `<p style="color:#525C6E">${escape(signature)}</p></div></body></html>`,
  ].join("\n");
}

function tableHtml({ title, headings, rows }: MailTable): string {
  const aligned = (at: number) => `${cell};text-align:${at === 0 ? "left" : "right"}`;
  const head = headings.map(
    (text, at) => `<th scope="col" style="${aligned(at)}">${escape(text)}</th>`,
  );
  const body = rows.map(
    (row) =>
      `<tr>${row.map((text, at) => (at === 0 ? `<th scope="row" style="${aligned(at)};font-weight:400">${escape(text)}</th>` : `<td style="${aligned(at)}">${escape(text)}</td>`)).join("")}</tr>`,
  );
  return (
    `<h2 style="font-size:17px;margin:24px 0 8px">${escape(title)}</h2>` +
    `<table style="border-collapse:collapse;${font}"><thead><tr>${head.join("")}</tr></thead>` +
    `<tbody>${body.join("\n")}</tbody></table>`
  );
}
