/** Reads CSV by RFC 4180, and nothing that is not: for tests. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let end = 0;
  for (let match = field.exec(text); match; match = field.exec(text)) {
    end = field.lastIndex;
    row.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'));
    if (match[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  if (end !== text.length || row.length > 0) throw new Error(`No CSV from character ${end}`);
  return rows;
}
