/** What each page of the showcase gets: the query of its address, which is its whole state. */
export type ShowcaseProps = { query: URLSearchParams };
