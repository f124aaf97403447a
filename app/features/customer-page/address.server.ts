/** The address at which customers see the page of a code (RULES K1). */
import { environment } from "../../env.server";
import { settings } from "../settings/settings.server";

const paths = ["/R/{code}", "/r/{code}"];

/** Returns what QR_PAYLOAD has to be. */
export function neededPayload(): string {
  return environment().appOrigin + paths[0];
}

/** Whether QR codes hold the address of the page. Scheme and host may have any case. */
export function isPayloadOurs(): boolean {
  const { appOrigin, qrPayload } = environment();
  const origin = qrPayload.slice(0, appOrigin.length);
  return (
    origin.toLowerCase() === appOrigin.toLowerCase() &&
    paths.includes(qrPayload.slice(appOrigin.length))
  );
}

export function isCustomerPageOn(): boolean {
  return settings().customerPage && isPayloadOurs();
}

/** Returns the address of a code's page, as people read it; null while the page is off. */
export function customerAddress(code: string): string | null {
  return isCustomerPageOn() ? `${environment().appOrigin}/r/${code}` : null;
}

export function previewPath(language: string, code = ""): string {
  return `/app/settings/customer-page?language=${language}${code && `&code=${code}`}`;
}

export function cardPath(promotionId: string, language: string): string {
  return `/app/qr-list/${promotionId}/card?language=${language}`;
}

/** Whether a path is the page's or below it. The router reads it in whatever case, and decodes it. */
export function isCustomerPath(path: string): boolean {
  return /^\/(r|%[57]2)\//i.test(path);
}
