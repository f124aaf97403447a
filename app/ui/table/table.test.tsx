import { parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server";
import { expect, test } from "vitest";
import { Table, type Column } from "./table";
import { wideOnly } from "./table.css";

type Row = { id: string };

/** Returns the positions of the header's and of the row's cells that only wide windows show. */
function widePositions(columns: Column<Row>[]): number[][] {
  const markup = renderToString(
    <StaticRouter location="/">
      <Table caption="Promotions" columns={columns} rows={[{ id: "1" }]} />
    </StaticRouter>,
  );
  const rows: number[][] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if (!("childNodes" in node)) return;
    if (node.nodeName === "tr") rows.push(positionsOf(node.childNodes));
    node.childNodes.forEach(walk);
  };
  walk(parseFragment(markup));
  return rows;
}

function positionsOf(cells: DefaultTreeAdapterTypes.ChildNode[]): number[] {
  return cells.flatMap((cell, position) =>
    "attrs" in cell &&
    cell.attrs.some(({ name, value }) => name === "class" && value.split(" ").includes(wideOnly))
      ? position
      : [],
  );
}

test("a wide column has its class on the header and on each cell, wherever it stands", () => {
  const columns = Array.from({ length: 14 }, (_, index): Column<Row> => ({
    heading: `Column ${index}`,
    isNumber: index === 13,
    isWide: index === 2 || index === 13,
    cell: ({ id }) => id,
  }));
  expect(widePositions(columns)).toEqual([
    [2, 13],
    [2, 13],
  ]);
});
