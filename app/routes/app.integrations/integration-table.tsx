// Without script: the same.
import type { IntegrationView } from "../../features/integrations/integration";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";

export function IntegrationTable({ integrations }: { integrations: readonly IntegrationView[] }) {
  return (
    <Table
      caption="Integrations"
      fits
      head={
        <>
          <th scope="col">Name</th>
          <th scope="col" className={table.number}>
            Active keys
          </th>
          <th scope="col">Last used</th>
          <th scope="col">Made on</th>
        </>
      }
    >
      {integrations.map(({ id, name, activeKeys, lastUsed, created }) => (
        <tr key={id}>
          <th scope="row" className={table.name}>
            <a href={paths.integration(id)}>{name}</a>
          </th>
          <td data-label="Active keys" className={table.number}>
            {formatNumber(activeKeys)}
          </td>
          <td data-label="Last used">{lastUsed}</td>
          <td data-label="Made on">{created}</td>
        </tr>
      ))}
    </Table>
  );
}
