/** Parameters of a query string by name, for the document: what each means, with a JSON schema where it matters. */
export type QueryParams = Record<string, string | [description: string, schema: object]>;

export const oneOf = (...names: string[]): QueryParams[string] => [
  `${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`,
  { type: "string", enum: names },
];
