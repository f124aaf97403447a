import { parseRecordId } from "./record-id";

export type ListQuery<By extends string> = {
  /** From 1. */
  page: number;
  perPage: number;
  sort: { by: By; isDescending: boolean };
  /** The id of a row: the page behind it, or the one before it. Never both. */
  after: string | null;
  before: string | null;
};

type Choices<By extends string> = {
  pageSizes: readonly number[];
  perPage: number;
  sorts: readonly By[];
  sort: ListQuery<By>["sort"];
};

/**
 * Page, rows per page and order of a list, as its address says:
 * `page=2&after=1234&per_page=50&sort=-name`. A cursor decides the rows, then the page number is
 * only what is read; a list that goes by numbers alone ignores the cursor. A value that means nothing falls back to its default and is named in `problems` (rulings 1.6).
 */
export function parseListQuery<By extends string>(
  params: URLSearchParams,
  { pageSizes, perPage, sorts, sort }: Choices<By>,
): { query: ListQuery<By>; problems: string[] } {
  const problems: string[] = [];
  function read<Value>(
    name: string,
    fallback: Value,
    parse: (text: string) => NonNullable<Value> | undefined,
  ): Value {
    const text = params.get(name);
    if (text === null || text === "") return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`The value of '${name}' is not valid`);
    return value ?? fallback;
  }
  const after = read<string | null>("after", null, (text) => parseRecordId(text) ?? undefined);
  const before = read<string | null>("before", null, (text) => parseRecordId(text) ?? undefined);
  const query = {
    after,
    before: after === null ? before : null,
    page: read<number>("page", 1, (text) =>
      /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined,
    ),
    perPage: read<number>("per_page", perPage, (text) =>
      pageSizes.find((size) => String(size) === text),
    ),
    sort: read("sort", sort, (text) => {
      const isDescending = text.startsWith("-");
      const by = sorts.find((name) => name === text.slice(isDescending ? 1 : 0));
      return by && { by, isDescending };
    }),
  };
  return { query, problems };
}
