import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import { Invoice } from "../../demo/showcase/invoice";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Page } from "../../ui/layout/page";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Invoice");

export const loader = screenLoader(requireDemo, async ({ request }) => ({
  isPaid: new URL(request.url).searchParams.has("paid"),
}));

export default function InvoicePage() {
  return (
    <Page title="Invoice">
      <Invoice {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
