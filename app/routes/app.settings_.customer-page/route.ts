import { previewPage, unknownPage } from "../../features/customer-page/customer-page.server";
import { chosenLocale } from "../../features/customer-page/locale.server";
import { screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";

/** A preview of the page that customers see, with the saved settings, whether it is on or not. */
export const loader = screenLoader(requireAdmin, async ({ request }) => {
  const { searchParams } = new URL(request.url);
  const locale = chosenLocale(searchParams.get("language"));
  return searchParams.get("code") === "unknown" ? unknownPage(locale) : previewPage(locale);
});
