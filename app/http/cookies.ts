/** The value of a cookie as it was sent; of several with one name, the first. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("Cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}
