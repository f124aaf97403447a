import { environment } from "../env.server";

/** Returns the value of a cookie as it was sent; of several with one name, the first. */
export function readCookie(request: Request, name: string): string | undefined {
  return cookieIn(request.headers.get("Cookie") ?? "", name);
}

export function cookieIn(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

const yearSeconds = 365 * 24 * 60 * 60;

export function setCookie(name: string, value: string, maxAgeSeconds = yearSeconds): string {
  const secure = isHttps() ? "; Secure" : "";
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}

function isHttps(): boolean {
  return environment().appOrigin.startsWith("https:");
}

/** Names a cookie that holds a secret: over https, browsers take it from this very host alone. */
export function hostCookieName(name: string): string {
  return isHttps() ? `__Host-${name}` : name;
}
