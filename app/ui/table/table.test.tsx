import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server";
import { expect, test, vi } from "vitest";
import { MarkupCacheContext, type CachedMarkup } from "../markup-cache";
import { Table } from "./table";

function render(cells: (row: { id: string; name: string }) => string, cached: CachedMarkup | null) {
  const rows = [
    { id: "1", name: "Staff <coffee>" },
    { id: "2", name: "Airport" },
  ];
  const columns = [{ heading: "Name", cell: cells }];
  return renderToString(
    <StaticRouter location="/">
      <MarkupCacheContext.Provider value={cached}>
        <Table caption="Promotions" columns={columns} rows={rows} cacheKey="promotions" />
      </MarkupCacheContext.Provider>
    </StaticRouter>,
  );
}

test("the server renders a row once, and keeps the markup that browsers hydrate", () => {
  const kept = new Map<string, string>();
  const cached: CachedMarkup = (key, content) => {
    if (!kept.has(key)) kept.set(key, renderToString(<>{content()}</>));
    return kept.get(key)!;
  };
  const nameOf = vi.fn((row: { name: string }) => row.name);
  const first = render(nameOf, cached);
  expect(render(nameOf, cached)).toBe(first);
  expect(nameOf).toHaveBeenCalledTimes(2);
  expect(first).toBe(render(nameOf, null));
});
