/**
 * A picture as plain data. Charts are drawn on the server; this is what travels, and React puts it
 * into the page without any of the code that drew it.
 */
export type Drawing = {
  /** Attributes of the `<svg>`. */
  attributes: Record<string, string>;
  /** Its name and description first, then shapes and words in the order they are painted in. */
  parts: DrawnPart[];
};

export type DrawnPart = { name: string; attributes: Record<string, string>; words: string };
