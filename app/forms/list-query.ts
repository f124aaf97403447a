export type ListQuery<By extends string> = {
  /** From 1. */
  page: number;
  perPage: number;
  sort: { by: By; isDescending: boolean };
};

type Choices<By extends string> = {
  pageSizes: readonly number[];
  perPage: number;
  sorts: readonly By[];
  sort: ListQuery<By>["sort"];
};

/**
 * Page, rows per page and order of a list, as its address says: `page=2&per_page=50&sort=-name`. A
 * value that means nothing falls back to its default and is named in `problems` (rulings 1.6).
 */
export function parseListQuery<By extends string>(
  params: URLSearchParams,
  { pageSizes, perPage, sorts, sort }: Choices<By>,
): { query: ListQuery<By>; problems: string[] } {
  const problems: string[] = [];
  function read<Value>(name: string, fallback: Value, parse: (text: string) => Value | undefined) {
    const text = params.get(name);
    if (text === null || text === "") return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`The value of '${name}' is not valid`);
    return value ?? fallback;
  }
  const query = {
    page: read("page", 1, (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)),
    perPage: read("per_page", perPage, (text) => pageSizes.find((size) => String(size) === text)),
    sort: read("sort", sort, (text) => {
      const isDescending = text.startsWith("-");
      const by = sorts.find((name) => name === text.slice(isDescending ? 1 : 0));
      return by && { by, isDescending };
    }),
  };
  return { query, problems };
}
