import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { requireUser } from "../http/guards.server";
import { UnderDevelopment } from "../ui/layout/under-development";

export const handle = { hydrate: false };
export const meta: MetaFunction = () => [{ title: "FAQ - Promo Console" }];

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return null;
}

export default function Faq() {
  return <UnderDevelopment title="FAQ" icon="faq" />;
}
