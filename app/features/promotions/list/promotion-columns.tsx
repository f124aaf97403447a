import { Badge } from "../../../ui/feedback/badge";
import { LinkedCode, type Column } from "../../../ui/table/table";
import * as table from "../../../ui/table/table.css";
import { paths } from "../../../paths";
import { StatusBadge } from "../status-badge";
import { listColumns, type PromotionRow } from "./list-columns";
import { promotionList } from "./promotion-filters";

type ColumnName = keyof typeof listColumns;

/** Columns that are more than a text at the left. */
const special: { [Name in ColumnName]?: Partial<Column<PromotionRow>> } = {
  created: {
    className: table.notInCards,
    isBare: true,
    cell: ({ created, isNew }) => (
      <>
        {`${created} `}
        {isNew && <Badge tone="info">new</Badge>}
      </>
    ),
  },
  type: { isWide: true, isFolded: true },
  discountType: { isWide: true, sort: "discount_type" },
  discount: { isBare: true },
  oneTime: { isWide: true, isFolded: true, sort: "is_single_use" },
  renewable: { isWide: true, isFolded: true, sort: "is_renewable" },
  used: { isNumber: true },
  usesLeft: { isNumber: true, sort: "uses_left" },
  status: {
    isBadge: true,
    cell: ({ status, statusNote }) => (
      <>
        <StatusBadge status={status} />
        {statusNote && <small className={table.detail}> {statusNote}</small>}
      </>
    ),
  },
  groups: { isWide: true },
  createdBy: { isWide: true },
  lastRedeemed: { isWide: true },
  redeemedInWeek: { isWide: true, isNumber: true },
};

const columns = (Object.entries(listColumns) as [ColumnName, string][]).map(
  ([name, heading]): Column<PromotionRow> & { name: ColumnName } => ({
    name,
    heading,
    sort: name in promotionList.sorts ? name : undefined,
    cell: (row) => row[name],
    ...special[name],
  }),
);

/** Returns the column of names, with the columns that the list shows. */
export function qrListColumns(hidden: readonly string[]): Column<PromotionRow>[] {
  return [
    {
      heading: "Name",
      sort: "name",
      isRowHeader: true,
      cell: (row) => (
        <LinkedCode
          {...row}
          to={row.isGeneration ? paths.generation(row.massGenerationId!) : undefined}
          note={foldedFacts(row, hidden)}
        />
      ),
    },
    ...columns.filter(({ name }) => !hidden.includes(name)),
  ];
}

/** Facts that stand beneath the name where the table has no room for their columns. */
function foldedFacts(row: PromotionRow, hidden: readonly string[]): string[] {
  const facts = {
    type: row.type,
    oneTime: row.oneTime === "Yes" ? "one-time" : "",
    renewable: row.renewable === "No" ? "" : `renews ${row.renewable.replace(/^Yes, /, "")}`,
    groups: row.groups,
    createdBy: row.createdBy && `by ${row.createdBy}`,
    lastRedeemed:
      row.lastRedeemed === "Never"
        ? "never redeemed"
        : row.lastRedeemed && `last redeemed ${row.lastRedeemed}`,
    redeemedInWeek: row.redeemedInWeek && `${row.redeemedInWeek} in 7 days`,
  };
  return Object.entries(facts).flatMap(([name, text]) =>
    !text || hidden.includes(name) ? [] : text,
  );
}
