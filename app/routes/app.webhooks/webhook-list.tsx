import { WebhookBadge } from "../../features/webhooks/webhook-badge";
import type { WebhookView } from "../../features/webhooks/webhook-view";
import { paths } from "../../paths";
import type { ShortList } from "../../ui/table/table-or-note";

export const webhookList: ShortList<WebhookView> = {
  caption: "Webhooks",
  columns: [
    {
      heading: "Address",
      isRowHeader: true,
      cell: ({ id, url }) => <a href={paths.webhook(id)}>{url}</a>,
    },
    {
      heading: "Status",
      isBadge: true,
      cell: ({ isEnabled }) => <WebhookBadge isEnabled={isEnabled} />,
    },
    { heading: "Events", cell: ({ events }) => events },
    { heading: "Waiting", isNumber: true, cell: ({ pending }) => pending },
    { heading: "Last delivery", cell: ({ lastSuccess }) => lastSuccess },
  ],
  empty: {
    title: "No webhooks yet",
    reason:
      "A webhook tells another system at once what happens here, such as a redemption. Systems that can't be called read the same events at /api/events.",
  },
};
