import { SendNow } from "../../features/webhooks/send-now";
import { WebhookBadge } from "../../features/webhooks/webhook-badge";
import type { WebhookView } from "../../features/webhooks/webhook-view";
import { paths } from "../../paths";
import type { ShortList } from "../../ui/table/table-or-note";
import { withNote } from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";

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
      cell: ({ state }) => <WebhookBadge state={state} />,
    },
    { heading: "Problem", className: withNote, cell: ({ note }) => note || "None" },
    { heading: "Events", className: withNote, cell: ({ events }) => events },
    { heading: "Pending", isNumber: true, cell: ({ pending }) => pending },
    {
      heading: "Failed",
      isNumber: true,
      cell: ({ id, url, failed }) =>
        failed === "0" ? (
          failed
        ) : (
          <a href={`${paths.webhook(id)}?state=failed`}>
            {failed}
            <span className={visuallyHidden}> failed of {url}</span>
          </a>
        ),
    },
    { heading: "Last delivery", cell: ({ lastSuccess }) => lastSuccess },
    {
      heading: "Actions",
      hasActions: true,
      isBare: true,
      cell: ({ id, url, isWaiting }) => isWaiting && <SendNow id={id} url={url} size="small" />,
    },
  ],
  empty: {
    title: "No webhooks yet",
    reason:
      "A webhook tells another system at once what happens here, such as a redemption. Systems that can't be called read the same events at /api/events.",
  },
};
