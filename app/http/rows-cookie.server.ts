import { readCookie } from "./cookies";
import { setCookie } from "./preferences.server";

/**
 * How many rows a page this browser wants of a list where the address says nothing (rulings 1.6).
 * @param list its name among the cookies
 */
export function readRowsCookie(
  request: Request,
  list: string,
  { pageSizes, usual }: { pageSizes: readonly number[]; usual: number },
): number {
  const remembered = Number(readCookie(request, `rows-${list}`));
  return pageSizes.includes(remembered) ? remembered : usual;
}

/** The header that remembers it; none where nothing changed. */
export function rememberingRows(
  list: string,
  { before, perPage }: { before: number; perPage: number },
): Headers {
  const value = setCookie(`rows-${list}`, String(perPage));
  return new Headers(perPage === before ? {} : { "Set-Cookie": value });
}
