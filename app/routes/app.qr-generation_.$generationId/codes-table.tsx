// Without script: the same; pages are links.
import { pageSizes } from "../../features/promotions/list/promotion-filters";
import { StatusBadge } from "../../features/promotions/status-badge";
import { paths } from "../../paths";
import { Section } from "../../ui/layout/page";
import { useListAddress } from "../../ui/table/list-address";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import * as css from "./generation-page.css";
import type { CodesView } from "./page-view";

/** In the order they were made in, which is that of the archive. */
export function CodesTable({ name, codes }: { name: string; codes: CodesView }) {
  const address = useListAddress();
  const { rows, first, total, page, perPage, next, previous } = codes;
  const last = first + rows.length - 1;
  return (
    <Section title="Codes">
      <Table
        caption={`Codes of ${name}`}
        fits
        head={
          <>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col" className={table.number}>
              Used
            </th>
            <th scope="col" className={table.number}>
              Uses left
            </th>
          </>
        }
        footer={
          <Pagination
            first={first}
            last={last}
            total={total}
            previous={
              previous && page > 1 ? address({ page: `${page - 1}`, before: previous }) : null
            }
            next={next && address({ page: `${page + 1}`, after: next })}
            perPage={perPage}
            perPageChoices={pageSizes}
          />
        }
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className={table.name}>
              <a href={paths.promotion(row.id)}>
                <code className={css.code}>{row.code}</code>
              </a>
            </th>
            <td className={table.status}>
              <StatusBadge status={row.status} />
            </td>
            <td data-label="Used" className={table.number}>
              {row.used}
            </td>
            <td data-label="Uses left" className={table.number}>
              {row.usesLeft}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
