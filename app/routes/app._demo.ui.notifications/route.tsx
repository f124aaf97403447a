import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import { NotificationCards, readNotifications } from "../../demo/showcase/ui-notifications";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Page } from "../../ui/layout/page";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Notifications");

export const loader = screenLoader(requireDemo, async ({ request }) =>
  readNotifications(new URL(request.url).searchParams),
);

export default function NotificationsPage() {
  return (
    <Page title="Notifications">
      <NotificationCards {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
