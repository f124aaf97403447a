/** QR images, label files and archives, for the screens and for the API. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { qrImageTag, qrPayload, qrPng, qrSvg, type QrFormat } from "../codec/qr-image.server";
import { recordWrite } from "../db/replica.server";
import { siteTimeZone } from "../db/site.server";
import { environment } from "../env.server";
import { recordCodesDownload } from "../features/dashboard/first-steps.server";
import { getLabelSource } from "../features/labels/label-source.server";
import { generationArchive } from "../features/mass-generations/generation-archive.server";
import { getPromotion } from "../features/promotions/promotions.server";
import { listParams } from "../features/promotions/list/promotion-filters";
import { filterNames, type FilterSet, type FilterValues } from "../lists/list";
import { parseFilters } from "../lists/parse-list";
import { attachment, safeFileName } from "../format/file-name";
import { formatCode } from "../format/promotion";
import { paths } from "../paths";
import { screenLoader } from "./answers.server";
import {
  archiveResponse,
  csvResponse,
  notModified,
  revalidated,
  streamedFile,
  type FileRequest,
} from "./file-response.server";
import type { Reader } from "../features/sign-in/user";
import { requireEditor, requireUser } from "./guards.server";
import { redirectWithMessage } from "./messages.server";
import type { Session } from "./sessions.server";

const qrFormats = {
  png: { draw: qrPng, type: "image/png" },
  svg: { draw: qrSvg, type: "image/svg+xml" },
};

/**
 * @param options.isNamed names the file by name and code, as screens do, instead of by the id
 * @throws DomainError not_found
 */
export async function qrImageResponse(
  request: Request,
  promotionId: string,
  { format = "png", isNamed = false }: { format?: QrFormat; isNamed?: boolean } = {},
): Promise<Response> {
  const { id, name, code } = await getPromotion(promotionId);
  const payload = qrPayload(code, environment().qrPayload);
  const fileName = isNamed ? `${safeFileName(name)} ${formatCode(code)}`.trim() : id;
  // A 304 names the file anew, because browsers would save the stored image under the name of before.
  const headers = {
    ...revalidated(qrImageTag(payload, format)),
    "Content-Disposition": attachment(`${fileName}.${format}`),
  };
  const unchanged = notModified(request, headers.ETag, headers);
  if (unchanged) return unchanged;
  const { draw, type } = qrFormats[format];
  // A HEAD draws nothing (RULES A7).
  const image = request.method === "HEAD" ? null : new Uint8Array(draw(payload));
  return new Response(image, {
    headers: {
      ...headers,
      "Content-Type": type,
      ...(image && { "Content-Length": String(image.length) }),
    },
  });
}

/** Answers with an uploaded picture. It was re-encoded, and no browser runs anything that it could still hold. */
export function pictureResponse(
  request: Request,
  { id, content }: { id: string; content: Buffer },
): Response {
  const headers = revalidated(id);
  return (
    notModified(request, headers.ETag, headers) ??
    new Response(new Uint8Array(content), {
      headers: {
        ...headers,
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Content-Type": "image/webp",
        "Content-Length": String(content.length),
      },
    })
  );
}

/**
 * Answers with all codes, or those that were added together, whose id is `added` in the address of a GET.
 * @throws DomainError not_found; conflict: the generation is deleted; too_many
 */
export async function generationArchiveResponse(
  fileRequest: FileRequest,
  generationId: string,
): Promise<Response> {
  const { method, url } = fileRequest.request;
  const added = method === "POST" ? null : new URL(url).searchParams.get("added");
  return archiveResponse(fileRequest, await generationArchive(generationId, added));
}

const labelTypes = { pdf: "application/pdf", svg: "image/svg+xml; charset=utf-8" };

/**
 * @param ids parameters of a route below a mass generation or a code
 * @throws DomainError not_found; conflict: it is deleted; invalid: an option; too_many
 */
async function labelFileResponse(
  fileRequest: FileRequest,
  ids: LoaderFunctionArgs["params"],
  format: keyof typeof labelTypes,
): Promise<Response> {
  const source = await getLabelSource(ids);
  const { request } = fileRequest;
  const options = new URL(request.url).searchParams;
  const site = { template: environment().qrPayload, timeZone: siteTimeZone() };
  // Loaded when it is used: the PDF library takes a fifth of the time of a start.
  const { labelFile } = await import("../features/labels/label-files.server");
  const { fileName, tag, chunks } = await labelFile(format, source, options, site);
  const headers = revalidated(tag);
  return (
    notModified(request, headers.ETag, headers) ??
    streamedFile(fileRequest, chunks, {
      fileName,
      headers: { ...headers, "Content-Type": labelTypes[format] },
    })
  );
}

/** Returns the page that offers a file, as it was opened: '/app/audit?…' for '/app/audit/export.csv?…'. */
function pageOfFile(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const page = pathname
    .replace(/\.\w+$/, "")
    .replace(/\/(export|archive|qr|qr-codes|verdicts)$/, "")
    .replace(/\/template$/, "/new");
  // The selection of the list is no part of its address.
  const params = page === paths.qrList ? listParams(searchParams) : searchParams;
  return params.size > 0 ? `${page}?${params}` : page;
}

/** Leads a browser that opened the address of a file back to its page, which says why there is no file. */
async function leadToPage(args: LoaderFunctionArgs, error: unknown): Promise<never> {
  const { request } = args;
  const isRefusal = error instanceof Response && error.status >= 400 && error.status < 500;
  if (!isRefusal || !request.headers.get("Accept")?.includes("text/html")) throw error;
  const session = await requireUser(args);
  const text = `Nothing was downloaded. ${(await error.text()).replace(/[^.]$/, "$&.")}`;
  throw await redirectWithMessage(session, pageOfFile(request), { kind: "error", text });
}

/**
 * Builds the loader of a file that everybody who is signed in may download, or those whom `guard` lets in. Programs get a refusal as its status and
 * a line of text, people the page that offers the file, also after signing in.
 */
export function downloadRoute(
  respond: (
    fileRequest: FileRequest,
    params: LoaderFunctionArgs["params"],
    session: Session,
  ) => Promise<Response>,
  guard = requireUser,
) {
  const load = screenLoader(
    (args) => guard(args, { fileOf: pageOfFile(args.request) }),
    ({ request, params }, session) =>
      respond({ request, userId: session.user.id }, params, session),
  );
  return (args: LoaderFunctionArgs) => load(args).catch((error) => leadToPage(args, error));
}

/** Builds the loader of a file with whole codes, which no viewer gets. Its first download is a step of the site. */
export function codesRoute(respond: Parameters<typeof downloadRoute>[0]) {
  return downloadRoute(async (fileRequest, ...more) => {
    const response = await respond(fileRequest, ...more);
    const { method, headers } = fileRequest.request;
    const isShownInPage = headers.get("Sec-Fetch-Dest") === "image";
    // 304: the browser has the image from the page that shows it.
    const isSent = response.ok || response.status === 304;
    if (method !== "HEAD" && isSent && !isShownInPage) await recordFirstDownload();
    return response;
  }, requireEditor);
}

/** Stores that codes were downloaded, so that a replica shows it too. Where that fails, the next download stores it. */
async function recordFirstDownload(): Promise<void> {
  try {
    if (await recordCodesDownload()) await recordWrite();
  } catch {
    // An error would drop a file that has begun, which would count as a download of its user for ever.
  }
}

/** Answers a call of the API with a file of whole codes, whose first download is a step of the site. */
export async function codesResponse(
  { method }: Request,
  response: Promise<Response>,
): Promise<Response> {
  const answered = await response;
  if (method !== "HEAD" && answered.ok) await recordFirstDownload();
  return answered;
}

/** Builds the loader of labels, below a mass generation or a code. */
export function labelsRoute(format: keyof typeof labelTypes) {
  return codesRoute((fileRequest, params) => labelFileResponse(fileRequest, params, format));
}

/**
 * Builds the loader of a CSV file with every row that the filters of a list let through. A value that means
 * nothing is refused: leaving it out would export more than was asked for.
 * @param options.parse parses the filters, where a rule of one goes beyond its kind
 * @param options.name begins the name of the file
 */
export function csvRoute<Filters extends FilterSet>(
  list: { filters: Filters },
  write: (filters: FilterValues<Filters>, reader: Reader) => AsyncGenerator<string>,
  {
    name,
    parse = (params) => parseFilters(list.filters, params),
    guard,
  }: {
    name: string;
    parse?: (params: URLSearchParams) => ReturnType<typeof parseFilters<Filters>>;
    guard?: typeof requireUser;
  },
) {
  return downloadRoute(async (fileRequest, _params, { user }) => {
    const { searchParams } = new URL(fileRequest.request.url);
    const { filters, errors } = parse(searchParams);
    const [error] = Object.values(errors);
    const known = filterNames(list.filters);
    const unknown = [...searchParams.keys()].find((param) => !known.includes(param));
    if (error) throw new Response(error, { status: 400 });
    if (unknown) throw new Response("This parameter is not known", { status: 400 });
    return csvResponse(fileRequest, name, () => write(filters, user));
  }, guard);
}
