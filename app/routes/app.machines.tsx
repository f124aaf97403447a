import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../db/site.server";
import { listMachines } from "../features/machines/list-machines.server";
import { formatDateTime } from "../format/date";
import { formatNumber } from "../format/number";
import { requireUser } from "../http/guards.server";
import { paths } from "../paths";
import { muted } from "#styles/global.css";
import { Card, Page } from "../ui/layout/page";
import { EmptyState } from "../ui/table/empty-state";
import { Pagination } from "../ui/table/pagination";
import { Table } from "../ui/table/table";
import * as table from "../ui/table/table.css";

const pageSizes = [10, 25, 50];

export const meta: MetaFunction = () => [{ title: "Machines - Promo Console" }];

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const { searchParams } = new URL(args.request.url);
  const { countedAt, machines, ...list } = await listMachines(readPage(searchParams));
  const timeZone = siteTimeZone();
  return {
    ...list,
    updated: countedAt && formatDateTime(countedAt, timeZone),
    machines: machines.map(({ serialNumber, humanName, lastQrUsed, activePromotions }) => ({
      serialNumber,
      humanName,
      lastActive: lastQrUsed ? formatDateTime(lastQrUsed, timeZone) : "Never",
      activePromotions: formatNumber(activePromotions),
    })),
  };
}

/** rulings 1.6: a bad value falls back. */
function readPage(searchParams: URLSearchParams) {
  const page = Number(searchParams.get("page"));
  const perPage = Number(searchParams.get("per_page"));
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
    perPage: pageSizes.includes(perPage) ? perPage : 25,
  };
}

export default function Machines() {
  const { machines, total, page, perPage, updated } = useLoaderData<typeof loader>();
  if (total === 0) {
    return (
      <Page title="Machines">
        <Card>
          <EmptyState
            icon="machine"
            title="No machines found"
            reason="Machines appear here once the vending platform lists them."
          />
        </Card>
      </Page>
    );
  }
  const first = (page - 1) * perPage + 1;
  const last = first + machines.length - 1;
  const pageUrl = (target: number) => `${paths.machines}?page=${target}&per_page=${perPage}`;
  return (
    <Page title="Machines" actions={updated && <p className={muted}>Last updated {updated}</p>}>
      <Table
        caption="Machines"
        head={
          <>
            <th scope="col">Serial number</th>
            <th scope="col">Name</th>
            <th scope="col">Last active</th>
            <th scope="col" className={table.number}>
              Active promos
            </th>
          </>
        }
        footer={
          <Pagination
            first={first}
            last={last}
            total={total}
            previous={page > 1 ? pageUrl(page - 1) : null}
            next={last < total ? pageUrl(page + 1) : null}
            perPage={perPage}
            perPageChoices={pageSizes}
          />
        }
      >
        {machines.map((machine) => (
          <tr key={machine.serialNumber}>
            <th scope="row" className={table.name}>
              {machine.serialNumber}
            </th>
            <td data-label="Name">{machine.humanName}</td>
            <td data-label="Last active">{machine.lastActive}</td>
            <td data-label="Active promos" className={table.number}>
              {machine.activePromotions}
            </td>
          </tr>
        ))}
      </Table>
    </Page>
  );
}
