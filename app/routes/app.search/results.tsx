import type { SerializeFrom } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { StatusBadge } from "../../features/promotions/status-badge";
import type { SearchResults } from "../../features/search/search.server";
import { formatRowCount } from "../../format/number";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { EmptyState } from "../../ui/table/list-notes";
import { LinkedCode, Table } from "../../ui/table/table";

type Props = { text: string; results: SerializeFrom<SearchResults> };

/** Shows a table for each kind of thing that has the text. */
export function Results({ text, results }: Props) {
  const { campaigns, machines, redemption, people } = results;
  const isEmpty =
    redemption === null && [campaigns, machines, people].every(({ rows }) => rows.length === 0);
  if (isEmpty)
    return (
      <EmptyState
        icon="search"
        title={`Nothing found for '${text}'`}
        reason="Search for a part of it, or check it as a code to see similar ones."
        action={<ButtonLink to={paths.codeCheck(text)}>Check as a code</ButtonLink>}
      />
    );
  return (
    <>
      {redemption && (
        <p>
          <Link to={redemption}>Redemption {text}</Link>
        </p>
      )}
      {campaigns.rows.length > 0 && (
        <Table
          id="table"
          title="Campaigns"
          fits
          rows={campaigns.rows}
          columns={[
            {
              heading: "Name",
              isRowHeader: true,
              cell: (row) => (
                <LinkedCode
                  {...row}
                  to={row.isGeneration ? paths.generation(row.massGenerationId!) : undefined}
                />
              ),
            },
            { heading: "Discount", isBare: true, cell: ({ discount }) => discount },
            {
              heading: "Status",
              isBadge: true,
              cell: ({ status }) => <StatusBadge status={status} />,
            },
          ]}
          footer={
            <Link to={campaigns.to}>
              {`Show all ${formatRowCount(campaigns.total, "campaign")} in QR List`}
            </Link>
          }
        />
      )}
      {machines.rows.length > 0 && (
        <Table
          id="machines"
          title="Machines"
          fits
          rows={machines.rows}
          rowKey="serialNumber"
          columns={[
            {
              heading: "Serial number",
              isRowHeader: true,
              cell: ({ serialNumber }) => <a href={paths.machine(serialNumber)}>{serialNumber}</a>,
            },
            { heading: "Name", cell: ({ humanName }) => humanName },
          ]}
          footer={machines.hasMore && "More machines match. Enter more of the name."}
        />
      )}
      {people.rows.length > 0 && (
        <Table
          id="people"
          title="Users"
          fits
          rows={people.rows}
          columns={[
            {
              heading: "Email",
              isRowHeader: true,
              cell: ({ id, email }) => <a href={paths.user(id)}>{email}</a>,
            },
            { heading: "Name", cell: ({ name }) => name },
          ]}
          footer={people.hasMore && "More users match. Enter more of the name."}
        />
      )}
    </>
  );
}
