/**
 * Rows of lists as a page sends them to its scripts: the names of the properties once, then the values of each row. The
 * markup has the same texts again, and half of the data would be names.
 */

/** Names of properties in order; one with properties of its own brings theirs. */
type Shape = readonly (string | readonly [string, Shape])[];
type Packed = { packed: Shape; rows: readonly unknown[] };
type Values = Record<string, unknown>;

/** Packs the arrays of like objects that the loaders of a page have returned. */
export function packRows(loaderData: Values): Values {
  return mapProperties(loaderData, (value) => {
    if (!Array.isArray(value) || value.length < 2) return value;
    const shape = shapeOf(value);
    return shape ? { packed: shape, rows: value.map((row) => pack(row, shape)) } : value;
  });
}

/** Undoes `packRows`. */
export function unpackRows(loaderData: Values): Values {
  return mapProperties(loaderData, (value) =>
    isObject(value) && "packed" in value
      ? (value as Packed).rows.map((row) => unpack(row, (value as Packed).packed))
      : value,
  );
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
  return shape.map((part) => {
    const values = value as Values;
    return typeof part === "string" ? values[part] : pack(values[part[0]], part[1]);
  });
}

function unpack(row: unknown, shape: Shape): Values {
  return Object.fromEntries(
    shape.map((part, index) => {
      const value = (row as unknown[])[index];
      return typeof part === "string" ? [part, value] : [part[0], unpack(value, part[1])];
    }),
  );
}
