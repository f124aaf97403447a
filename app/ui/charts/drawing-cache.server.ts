import { LRUCache } from "lru-cache";
import { formatNumber } from "../../format/number";
import type { ChartDrawings } from "./chart";

/** Drawings by their data. Texts count two bytes a character, as V8 may store them. */
const cache = new LRUCache<string, ChartDrawings>({
  maxSize: 4_000_000,
  sizeCalculation: (drawings, key) => 2 * (key.length + JSON.stringify(drawings).length),
});

/**
 * Returns the drawings of a chart, which are drawn again only when its data has changed: drawing takes 15 ms, four times
 * as long as the rest of a page.
 * @param kind tells charts apart that draw the same data in different ways
 */
export function cacheDrawings(
  kind: string,
  { format = formatNumber, ...data }: object & { format?: (value: number) => string },
  draw: () => ChartDrawings,
): ChartDrawings {
  const key = JSON.stringify([kind, format(1_234), data]);
  const cached = cache.get(key);
  if (cached) return cached;
  const drawings = draw();
  cache.set(key, drawings);
  return drawings;
}
