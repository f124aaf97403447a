/** Properties of each page of the showcase: the query of its address is its whole state. */
export type ShowcaseProps = { query: URLSearchParams };
