import { settings } from "../features/settings/settings.server";
import type { SiteView } from "../format/site";
import { serverPaths } from "../paths";

export function siteView(): SiteView {
  const { siteName: name, weekStart, logo } = settings();
  if (!logo) return { name, weekStart };
  const { digest, width, height } = logo;
  return { name, weekStart, logo: { src: serverPaths.logo(digest.slice(0, 16)), width, height } };
}
