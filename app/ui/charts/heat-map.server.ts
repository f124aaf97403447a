import { formatNumber } from "../../format/number";
import { heatOpacities, paint } from "./chart.css";
import type { ChartDrawings, Drawing, DrawnPart } from "./chart";
import { drawShapes, type ChartTexts, type Shape } from "./chart-frame.server";

type HeatMapData = ChartTexts & {
  /** Names of the two axes: 'weekday' in the caption, 'Hour' as a heading. */
  rowHeading: string;
  columnHeading: string;
  /** Unique labels: the weekdays. */
  rows: readonly string[];
  /** Unique labels: the hours. A wide picture has them side by side, others beneath each other. */
  columns: readonly string[];
  /** Whole numbers, one list for each row. */
  values: readonly (readonly number[])[];
};

/** Draws a grid whose cells are the darker the more they count; each says its number, zero aside. */
export function drawHeatMap(data: HeatMapData): ChartDrawings {
  const { rows, columns, values, format = formatNumber } = data;
  return drawShapes((shape) => drawGrid(data, shape), {
    id: `${data.id}-table`,
    caption: `${data.title}: ${data.unit} by ${data.columnHeading} and ${data.rowHeading}`,
    headings: [data.columnHeading, ...rows],
    rows: columns.map((label, column) => ({
      label,
      values: rows.map((_, row) => format(values[row]![column]!)),
    })),
  });
}

const sizes = {
  wide: { width: 1080, left: 44, cellHeight: 32 },
  medium: { width: 640, left: 44, cellHeight: 22 },
  narrow: { width: 320, left: 44, cellHeight: 20 },
};
type Piece = NonNullable<DrawnPart["pieces"]>[number];
const top = 20;
/** Between two cells. */
const gap = 1;

function drawGrid({ id, title, description, ...data }: HeatMapData, shape: Shape): Drawing {
  const { width, left, cellHeight } = sizes[shape];
  const isWide = shape === "wide";
  const [across, down] = isWide ? [data.columns, data.rows] : [data.rows, data.columns];
  const valueAt = (x: number, y: number) => (isWide ? data.values[y]![x]! : data.values[x]![y]!);
  const format = data.format ?? formatCompact;
  const highest = Math.max(1, ...data.values.flat());

  const cellWidth = (width - left) / across.length;
  const height = top + down.length * cellHeight;
  const middle = (x: number) => round(left + (x + 0.5) * cellWidth);
  const baseline = (y: number) => round(top + (y + 0.5) * cellHeight + 4);
  const shades = heatOpacities.map(() => "");
  let empty = "";
  const numbers = { dark: [] as Piece[], light: [] as Piece[] };
  down.forEach((_row, y) =>
    across.forEach((_column, x) => {
      const value = valueAt(x, y);
      const level = Math.ceil((value / highest) * heatOpacities.length);
      const cell =
        `M${round(left + x * cellWidth)} ${top + y * cellHeight}` +
        `h${round(cellWidth - gap)}v${cellHeight - gap}h${round(gap - cellWidth)}z`;
      if (value === 0) empty += cell;
      else {
        shades[level - 1] += cell;
        const piece: Piece = [middle(x), baseline(y), format(value)];
        numbers[level === heatOpacities.length ? "light" : "dark"].push(piece);
      }
    }),
  );
  return {
    attributes: {
      role: "img",
      viewBox: `0 0 ${width} ${height}`,
      "aria-labelledby": `${id}-${shape}-title`,
      "aria-describedby": `${id}-${shape}-desc`,
    },
    parts: [
      { name: "title", attributes: { id: `${id}-${shape}-title` }, text: title },
      { name: "desc", attributes: { id: `${id}-${shape}-desc` }, text: description },
      ...shapeOf(empty, { fill: "none", stroke: paint.grid }),
      ...shades.flatMap((d, at) =>
        shapeOf(d, { fill: paint.bar, fillOpacity: String(heatOpacities[at]) }),
      ),
      texts(
        across.map((label, x) => [middle(x), 12, label]),
        { fill: paint.text, textAnchor: "middle" },
      ),
      texts(
        down.map((label, y) => [left - 8, baseline(y), label]),
        { fill: paint.text, textAnchor: "end" },
      ),
      texts(numbers.dark, { fill: paint.figures, textAnchor: "middle" }),
      texts(numbers.light, { fill: paint.onHeat, textAnchor: "middle" }),
    ],
  };
}

function shapeOf(d: string, attributes: Record<string, string>): DrawnPart[] {
  return d === "" ? [] : [{ name: "path", attributes: { d, ...attributes }, text: "" }];
}

function texts(pieces: readonly Piece[], attributes: Record<string, string>): DrawnPart {
  return { name: "text", attributes, text: "", pieces };
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact" });

/** Four digits fit into a cell; the table has the others: '12K'. */
function formatCompact(value: number): string {
  return value < 10_000 ? formatNumber(value) : compact.format(value);
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
