import { customerAddress } from "./address.server";
import type { CustomerCode } from "./customer-code.server";
import { customerView } from "./customer-view.server";
import { contactFact, customerDocument, Facts, QrCode } from "./document.server";
import type { Locale } from "./locale.server";

/** Postcard size. Colours are printed, though browsers leave backgrounds out. */
const styles = `
body{box-sizing:border-box;width:148mm;max-width:100%;margin:8mm auto;border:.25mm solid #8a8f98;print-color-adjust:exact;-webkit-print-color-adjust:exact}
header,main{padding:6mm}
main{grid-template-columns:1fr auto;gap:6mm}
.part{display:grid;gap:3mm;align-content:start}
.note{grid-column:1/-1}
svg{width:46mm}
@media(max-width:30rem){main{grid-template-columns:1fr}}
@media print{.note{display:none}body{margin:0}}`;

/** A card with a code, for the browser to print. */
export function codeCard(found: CustomerCode, locale: Locale): Response {
  const { gift, terms, isUsable, state, times, machines } = customerView(found, locale);
  const { code } = found;
  const address = customerAddress(code);
  return customerDocument({
    locale,
    title: gift,
    styles,
    children: (
      <>
        <p className="note">Print this page with the menu of the browser or Ctrl + P.</p>
        <div className="part">
          <h1>{gift}</h1>
          {terms && <p>{terms}</p>}
          {!isUsable && <p className="state no">{state}</p>}
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
