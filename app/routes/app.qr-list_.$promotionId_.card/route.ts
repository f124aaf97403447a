import { codeCard } from "../../features/customer-page/customer-page.server";
import { chosenLocale } from "../../features/customer-page/locale.server";
import { getSharedCode } from "../../features/customer-page/share-code.server";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";

export const loader = screenLoader(requireEditor, async ({ params, request }) => {
  const language = new URL(request.url).searchParams.get("language");
  return codeCard(await getSharedCode(params.promotionId ?? ""), chosenLocale(language));
});
