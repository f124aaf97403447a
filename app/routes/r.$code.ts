import type { LoaderFunctionArgs } from "@remix-run/node";
import { customerPage } from "../features/customer-page/customer-page.server";
import { preferredLocale } from "../features/customer-page/locale.server";
import { allowAnyone } from "../http/guards.server";

/** The page that customers see of a code; the pipeline answers 404 where it is off. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const { params, request, context } = args;
  const locale = preferredLocale(request.headers.get("Accept-Language"));
  return customerPage(params.code ?? "", { locale, clientAddress: context.clientAddress });
}
