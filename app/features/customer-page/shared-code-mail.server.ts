import { qrPayload, qrPng } from "../../codec/qr-image.server";
import { environment } from "../../env.server";
import { formatCode } from "../../format/promotion";
import type { LateTemplates } from "../mail/templates";
import { settings } from "../settings/settings.server";
import { customerAddress } from "./address.server";
import { getCustomerCode } from "./customer-code.server";
import { customerView } from "./customer-view.server";
import { customerName } from "./document.server";
import { chosenLocale } from "./locale.server";

/** Makes the mail with a code, as the code is when the mail is sent; null if it was deleted. */
export const sharedCodeMail: LateTemplates["shared_code"] = async ({ id, language }) => {
  const found = await getCustomerCode(id);
  if (!found) return null;
  const locale = chosenLocale(language);
  const { texts } = locale;
  const { gift, terms, limits, isUsable, state, times, machines } = customerView(found, locale);
  const { code } = found;
  const { customerText, customerContact } = settings();
  const sender = customerName();
  const url = customerAddress(code);
  return {
    subject: texts.mailSubject(gift, sender),
    language: locale.language,
    sender,
    paragraphs: [
      texts.mailIntroduction(sender),
      customerText,
      [gift, terms].filter(Boolean).join(", "),
      limits,
      `${texts.code}: ${formatCode(code)}`,
      texts.mailImage,
      isUsable ? "" : state,
      ...[...times, machines].map(([term, value]) => `${term}: ${value.replaceAll("\n", ", ")}`),
    ].filter(Boolean),
    ...(url !== null && { action: { label: texts.openPage, url } }),
    notes: customerContact ? [`${texts.questions} ${customerContact}`] : [],
    attachments: [
      { name: `${code}.png`, content: qrPng(qrPayload(code, environment().qrPayload)) },
    ],
  };
};
