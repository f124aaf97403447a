import { WebhookBadge } from "../../features/webhooks/webhook-badge";
import type { WebhookView } from "../../features/webhooks/webhook-view";
import { paths } from "../../paths";
import type { Column } from "../../ui/table/table";

export const webhookColumns: Column<WebhookView>[] = [
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
];
