/** HTML documents for customers: no script, no file, and one style that the policy allows by its hash. */
import { createHash } from "node:crypto";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { qrPath, qrPayload } from "../../codec/qr-image.server";
import { environment } from "../../env.server";
import { formatCode } from "../../format/promotion";
import { contrast } from "../../../styles/contrast";
import { dark, light } from "../../../styles/palettes";
import { settings } from "../settings/settings.server";
import type { Fact } from "./customer-view.server";
import type { Locale } from "./locale.server";

/** Returns black or white, whichever is easier to read on a colour: at least 4.58:1. */
export function textColourOn(colour: string): "#000000" | "#ffffff" {
  return contrast("#000000", colour) >= contrast("#ffffff", colour) ? "#000000" : "#ffffff";
}

/** The name that customers know the operator by. */
export function customerName(): string {
  return settings().customerName || settings().siteName;
}

const colours = (palette: typeof light) =>
  `body{background:${palette.bg};color:${palette.text}}main{background:${palette.surface}}` +
  `dt,.note{color:${palette.muted}}.yes{color:${palette.success};background:${palette.successBg}}` +
  `.no{color:${palette.warning};background:${palette.warningBg}}`;

/** Nothing in a style is a quote or a bracket, which would be written as an entity. */
const layout = `
body,h1,p,dl,dd{margin:0}
body{font:1rem/1.5 system-ui,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;overflow-wrap:anywhere}
header,main{display:grid;gap:.75rem;padding:1rem max(1rem,50% - 14rem)}
main{padding-block:1.5rem}
header p:first-child{font-size:1.25rem;font-weight:650}
h1{font-size:1.75rem;line-height:1.2;font-weight:700}
.state{padding:.5rem .75rem;border-radius:.5rem;font-weight:600}
dl{display:grid;gap:.75rem}
dd{white-space:pre-line}
code{font-size:1.25rem;letter-spacing:.05em}
svg{width:12rem;height:auto;border-radius:.5rem}`;

type Document = {
  locale: Locale;
  /** Stands before the operator's name in the title of the window. */
  title: string;
  /** More styles. */
  styles?: string;
  children: ReactNode;
  status?: number;
  headers?: Record<string, string>;
};

export function customerDocument({
  locale,
  title,
  styles = "",
  children,
  status = 200,
  headers = {},
}: Document): Response {
  const { customerColour: colour, customerText: line } = settings();
  const name = customerName();
  const style =
    `:root{color-scheme:light dark}${layout}${colours(light)}` +
    `@media screen and (prefers-color-scheme:dark){${colours(dark)}}` +
    `header{background:${colour};color:${textColourOn(colour)}}${styles}`;
  const html = renderToStaticMarkup(
    <html lang={locale.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} - ${name}`}</title>
        <style>{style}</style>
      </head>
      <body>
        <header>
          <p>{name}</p>
          {line && <p>{line}</p>}
        </header>
        <main>{children}</main>
      </body>
    </html>,
  );
  const hash = createHash("sha256").update(style).digest("base64");
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": locale.language,
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
      Vary: "Accept-Language",
      ...headers,
    },
  });
}

export function QrCode({ code, locale: { texts } }: { code: string; locale: Locale }) {
  const { width, path } = qrPath(qrPayload(code, environment().qrPayload));
  return (
    <>
      <svg viewBox={`0 0 ${width} ${width}`} role="img" aria-label={texts.qrCode}>
        <path fill="#fff" d={`M0 0h${width}v${width}H0z`} />
        <path d={path} shapeRendering="crispEdges" />
      </svg>
      <p>
        {texts.code} <code>{formatCode(code)}</code>
      </p>
    </>
  );
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Says whom to ask, if admins have set it. */
export function contactFact({ texts }: Locale): Fact[] {
  const { customerContact } = settings();
  return customerContact ? [[texts.questions, customerContact]] : [];
}
