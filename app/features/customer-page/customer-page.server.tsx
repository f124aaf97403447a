/** The page that customers see of a code, and a card to print (RULES K2, K3, K4). */
import { db } from "../../db/connection.server";
import { countAttempt } from "../../db/rate-limits.server";
import { settings } from "../settings/settings.server";
import { networksOf } from "../sign-in/attempt-limits.server";
import { customerAddress } from "./address.server";
import { findCustomerCode, type CustomerCode } from "./customer-code.server";
import { customerView, type CustomerView, type ViewedCode } from "./customer-view.server";
import { contactFact, customerDocument, Facts, QrCode } from "./document.server";
import type { Locale } from "./locale.server";

const windowMs = 60_000;
/** Many customers of one mobile network share an address. */
const maxOfNetwork = 60;
const maxOfSite = 600;

/** Answers whoever scanned a code. @param clientAddress counts towards the limit */
export async function customerPage(
  text: string,
  { locale, clientAddress }: { locale: Locale; clientAddress: string },
): Promise<Response> {
  const seconds = await secondsToWait(clientAddress);
  if (seconds > 0) return tooManyPage(locale, seconds);
  const code = await findCustomerCode(text);
  if (!code) return unknownPage(locale);
  return codePage({ view: customerView(code, locale), code: code.code, locale });
}

/** Counts a view. @returns how long the client has to wait; 0 if it doesn't */
async function secondsToWait(clientAddress: string): Promise<number> {
  const [network, site] = networksOf(clientAddress);
  const limits = [{ key: `customer/${network}`, attempts: maxOfNetwork, windowMs }];
  if (site) limits.push({ key: `customer/${site}`, attempts: maxOfSite, windowMs });
  // One after the other: views that are refused don't count for others of the same site.
  for (const limit of limits) {
    const [counted] = await countAttempt(db(), [limit]);
    if (counted!.isExceeded) return Math.ceil(counted!.msLeft / 1_000);
  }
  return 0;
}

const sample: ViewedCode = {
  discountType: "percentage",
  discountValue: 20,
  isSingleUse: true,
  isRenewable: false,
  remainingUses: 1,
  expiresAt: null,
  renewsAt: null,
  times: {
    startsAt: null,
    openMinutes: "{[480,1080),[1920,2520),[3360,3960),[4800,5400),[6240,6840)}",
    closedOn: null,
    isOpen: true,
    isAhead: false,
    localTime: "2026-01-01T12:00:00",
  },
  caps: null,
  cap: null,
  status: "active",
  machines: ["Canteen", "Lobby"],
  machineCount: 2,
};

/** Shows admins how the page looks. */
export function previewPage(locale: Locale): Response {
  const view = customerView(sample, locale);
  return codePage({ view, code: "ABCDEFGHJKMN", locale, note: "Preview with a sample code" });
}

type CodePage = { view: CustomerView; code: string; locale: Locale; note?: string };

/** @param page.code 12 characters */
function codePage({ view, code, locale, note }: CodePage): Response {
  const { texts } = locale;
  const { gift, terms, limits, isUsable, state, times, machines } = view;
  return customerDocument({
    locale,
    title: gift,
    children: (
      <>
        {note && <p className="note">{note}</p>}
        <h1>{gift}</h1>
        {terms && <p>{terms}</p>}
        {limits && <p>{limits}</p>}
        <p className={`state ${isUsable ? "yes" : "no"}`}>{state}</p>
        {isUsable && (
          <>
            <p>{texts.showToMachine}</p>
            <QrCode code={code} locale={locale} />
          </>
        )}
        <Facts facts={[...times, machines, ...contactFact(locale)]} />
      </>
    ),
  });
}

/** Says the same of what is unknown, deleted and malformed. */
export function unknownPage(locale: Locale): Response {
  const { unknown, isComplete, questions, askGiver } = locale.texts;
  const { customerContact } = settings();
  return customerDocument({
    locale,
    title: unknown,
    status: 404,
    children: (
      <>
        <h1>{unknown}</h1>
        <p>{isComplete}</p>
        <p>{customerContact ? `${questions} ${customerContact}` : askGiver}</p>
      </>
    ),
  });
}

function tooManyPage(locale: Locale, seconds: number): Response {
  const { tooMany } = locale.texts;
  return customerDocument({
    locale,
    title: tooMany,
    status: 429,
    headers: { "Retry-After": String(seconds) },
    children: <h1>{tooMany}</h1>,
  });
}

/** Postcard size. Colours are printed, though browsers leave backgrounds out. */
const cardStyles = `
body{box-sizing:border-box;width:148mm;max-width:100%;margin:8mm auto;border:.25mm solid #8a8f98;print-color-adjust:exact;-webkit-print-color-adjust:exact}
header,main{padding:6mm}
main{grid-template-columns:1fr auto;gap:6mm}
.part{display:grid;gap:3mm;align-content:start}
.note{grid-column:1/-1}
svg{width:46mm}
@media(max-width:30rem){main{grid-template-columns:1fr}}
@media print{.note{display:none}body{margin:0}}`;

/** A card with a code, for the browser to print. */
export function codeCard(customerCode: CustomerCode, locale: Locale): Response {
  const { gift, terms, limits, isUsable, state, times, machines } = customerView(
    customerCode,
    locale,
  );
  const { code, status } = customerCode;
  // Hours, caps and machines of an active code change: paper would say so for ever.
  const stateClass = status === "active" ? "state no note" : "state no";
  const address = customerAddress(code);
  return customerDocument({
    locale,
    title: gift,
    styles: cardStyles,
    children: (
      <>
        <p className="note">Print this page with the menu of the browser or Ctrl + P.</p>
        <div className="part">
          <h1>{gift}</h1>
          {terms && <p>{terms}</p>}
          {limits && <p>{limits}</p>}
          {!isUsable && <p className={stateClass}>{state}</p>}
          <Facts facts={[...times, machines, ...contactFact(locale)]} />
        </div>
        <div className="part">
          <QrCode code={code} locale={locale} />
          {address && <p>{address.replace(/^https?:\/\//, "")}</p>}
        </div>
      </>
    ),
  });
}
