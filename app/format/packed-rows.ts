/**
 * Rows of lists as a page sends them to its scripts: the names of the properties once, then the values of each row. The
 * markup has the same texts again, and half of the data would be names.
 */

/** Names of properties in order; one with properties of its own brings theirs. */
type Shape = readonly (string | readonly [string, Shape])[];
type Values = Record<string, unknown>;
type Packed = {
  packed: Shape;
  /** Columns with numbers. In the others a 0 repeats the value of the row before, and so does a value left out at the end. */
  numeric: readonly number[];
  rows: readonly (readonly unknown[])[];
};

/** Packs the arrays of like objects that the loaders of a page have returned. */
export function packRows(loaderData: Values): Values {
  return mapProperties(loaderData, (value) => {
    const shape = Array.isArray(value) && value.length > 1 ? shapeOf(value) : null;
    if (!shape) return value;
    const rows = (value as unknown[]).map((row) => pack(row, shape));
    const hasNumbers = rows[0]!.map((_, column) =>
      rows.some((row) => typeof row[column] === "number"),
    );
    const packed: Packed = {
      packed: shape,
      numeric: [...hasNumbers.keys()].filter((column) => hasNumbers[column]),
      rows: rows.map((row, index) => {
        const isRepeated = (item: unknown, column: number) =>
          !hasNumbers[column] && item === rows[index - 1]?.[column];
        const end = row.findLastIndex((item, column) => !isRepeated(item, column)) + 1;
        return row.slice(0, end).map((item, column) => (isRepeated(item, column) ? 0 : item));
      }),
    };
    return packed;
  });
}

/** Undoes `packRows`. */
export function unpackRows(loaderData: Values): Values {
  return mapProperties(loaderData, (value) => {
    if (!isObject(value) || !("packed" in value)) return value;
    const { packed, numeric, rows } = value as Packed;
    let last: readonly unknown[] = [];
    return rows.map((row) => {
      const changed = row.map((item, column) =>
        item === 0 && !numeric.includes(column) ? last[column] : item,
      );
      last = [...changed, ...last.slice(row.length)];
      return unpack(last.values(), packed);
    });
  });
}

/** Replaces the properties of what each loader returned. */
function mapProperties(loaderData: Values, map: (value: unknown) => unknown): Values {
  const mapValues = (values: Values, change: (value: unknown) => unknown) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
  return mapValues(loaderData, (data) => (isObject(data) ? mapValues(data, map) : data));
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the properties that all values have in the same order; null if they are not alike. */
function shapeOf(values: readonly unknown[]): Shape | null {
  if (!values.every(isObject)) return null;
  const names = Object.keys(values[0]!);
  const isAlike = (value: Values) => {
    const others = Object.keys(value);
    return others.length === names.length && names.every((name, index) => name === others[index]);
  };
  if (!values.every(isAlike)) return null;
  return names.map((name) => {
    const inner = shapeOf(values.map((value) => value[name]));
    return inner ? ([name, inner] as const) : name;
  });
}

function pack(value: unknown, shape: Shape): unknown[] {
  const values = value as Values;
  return shape.flatMap((part) =>
    typeof part === "string" ? [values[part]] : pack(values[part[0]], part[1]),
  );
}

function unpack(items: Iterator<unknown>, shape: Shape): Values {
  return Object.fromEntries(
    shape.map((part) =>
      typeof part === "string"
        ? [part, items.next().value as unknown]
        : [part[0], unpack(items, part[1])],
    ),
  );
}
