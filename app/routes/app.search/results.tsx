import type { SerializeFrom } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { StatusBadge } from "../../features/promotions/status-badge";
import type { SearchResults } from "../../features/search/search.server";
import { countOf } from "../../format/number";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { EmptyState } from "../../ui/table/list-notes";
import { LinkedCode, Table } from "../../ui/table/table";

type Props = {
  text: string;
  results: SerializeFrom<SearchResults>;
  /** Says what to do where nothing was found; null where a note of the screen does. */
  advice: string | null;
};

/** Says what was found, for those who don't see it: '3 campaigns, machines found'. */
export function describeFound({ campaigns, machines, redemption, people }: Props["results"]) {
  const found = [
    redemption && "A redemption",
    campaigns.rows.length > 0 && countOf(campaigns.total, "campaign"),
    machines.rows.length > 0 && "machines",
    people.rows.length > 0 && "users",
  ].filter(Boolean);
  return `${found.join(", ") || "Nothing"} found`;
}

/** Shows a table for each kind of thing that has the text. */
export function Results({ text, results, advice }: Props) {
  const { campaigns, machines, redemption, people } = results;
  const isEmpty =
    redemption === null && [campaigns, machines, people].every(({ rows }) => rows.length === 0);
  if (isEmpty)
    return (
      <EmptyState
        icon="search"
        title={`Nothing found for "${text}"`}
        reason={advice ?? undefined}
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
              {`Show ${campaigns.total.count > 1 ? `all ${countOf(campaigns.total, "campaign")} ` : ""}in QR List`}
            </Link>
          }
        />
      )}
      <Matches
        title="Machines"
        heading="Serial number"
        hasMore={machines.hasMore}
        rows={machines.rows.map(({ serialNumber, humanName }) => ({
          label: serialNumber,
          to: paths.machine(serialNumber),
          name: humanName,
        }))}
      />
      <Matches
        title="Users"
        heading="Email"
        hasMore={people.hasMore}
        rows={people.rows.map(({ id, email, name }) => ({
          label: email,
          to: paths.user(id),
          name,
        }))}
      />
    </>
  );
}

type MatchesProps = {
  title: string;
  /** Heading of the column of links. */
  heading: string;
  rows: readonly { label: string; to: string; name: string }[];
  hasMore: boolean;
};

function Matches({ title, heading, rows, hasMore }: MatchesProps) {
  if (rows.length === 0) return null;
  return (
    <Table
      id={title.toLowerCase()}
      title={title}
      fits
      rows={rows}
      rowKey="label"
      columns={[
        { heading, isRowHeader: true, cell: ({ label, to }) => <a href={to}>{label}</a> },
        { heading: "Name", cell: ({ name }) => name },
      ]}
      footer={hasMore && `More ${title.toLowerCase()} match. Enter more of the name.`}
    />
  );
}
