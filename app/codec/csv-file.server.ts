import { byteOrderMark, csvLine, type Cell } from "./csv";
import { drawingTurn } from "./turns.server";

/** A heading, and how the cells below it are made. */
export type CsvColumn<Row> = readonly [heading: string, cell: (row: Row) => Cell];

/** Writes rows as CSV, a chunk for each page of them, in the turns that all files take. */
export async function* csvFile<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  let lines = byteOrderMark + csvLine(columns.map(([heading]) => heading));
  for await (const rows of pages) {
    let isOver = await drawingTurn();
    for (const row of rows) {
      if (isOver()) isOver = await drawingTurn();
      lines += csvLine(columns.map(([, cell]) => cell(row)));
    }
    if (lines !== "") yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}
