// Without script: the same; pages and 'Revoke' are links.
import { useSearchParams } from "@remix-run/react";
import { visuallyHidden } from "#styles/global.css";
import { type KeyView, keyStateLabels } from "../../features/integrations/integration";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { EmptyState } from "../../ui/table/empty-state";
import { useListUrl } from "../../ui/table/list-url";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import type { IntegrationPageData } from "./page.server";

type KeyTableProps = {
  page: Pick<IntegrationPageData, "id" | "keys" | "total" | "page" | "perPage" | "pageSizes">;
};

export function KeyTable({ page: { id, keys, total, page, perPage, pageSizes } }: KeyTableProps) {
  const url = useListUrl();
  if (total === 0) {
    return (
      <EmptyState
        icon="key"
        title="No keys yet"
        reason="With a key this integration can redeem codes and take redemptions back, and nothing else."
      />
    );
  }
  return (
    <Table
      caption="Keys"
      onApproach={preloadModal}
      head={
        <>
          <th scope="col">Key</th>
          <th scope="col">Machine</th>
          <th scope="col">Made on</th>
          <th scope="col">Valid until</th>
          <th scope="col">Last used</th>
          <th scope="col">State</th>
          <th scope="col" className={table.number}>
            Actions
          </th>
        </>
      }
      footer={
        total > pageSizes[0]! && (
          <Pagination
            page={{ page, perPage, total }}
            rowCount={keys.length}
            urlOf={url}
            pageSizes={pageSizes}
          />
        )
      }
    >
      {keys.map((key) => (
        <KeyLine key={key.id} integrationId={id} words={key} />
      ))}
    </Table>
  );
}

const tones: Record<KeyView["state"], Tone> = { active: "ok", expired: "warn", revoked: "off" };

function KeyLine({ integrationId, words }: { integrationId: string; words: KeyView }) {
  const [params] = useSearchParams();
  const { id, name, machine, state } = words;
  const search = params.size > 0 ? `?${params}` : "";
  return (
    <tr>
      <th scope="row" className={table.name}>
        <code>{name}</code>
      </th>
      <td data-label="Machine" className={table.twoLines}>
        {machine ? (
          <>
            <a href={paths.machine(machine.serialNumber)}>{machine.serialNumber}</a>
            <span>{machine.humanName}</span>
          </>
        ) : (
          "Any"
        )}
      </td>
      <td data-label="Made on">{words.created}</td>
      <td data-label="Valid until">{words.expires}</td>
      <td data-label="Last used">{words.lastUsed}</td>
      <td className={table.status}>
        <Badge tone={tones[state]}>{keyStateLabels[state]}</Badge>
      </td>
      <td className={table.actions}>
        {state === "active" && (
          <a id={`revoke-${id}`} href={`${paths.keyRevocation(integrationId, id)}${search}`}>
            Revoke<span className={visuallyHidden}> {name}</span>
          </a>
        )}
      </td>
    </tr>
  );
}
