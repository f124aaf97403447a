/** A confirmation dialog as data, so that server and browser compose it alike. */
export type Question = {
  /** The document's title, without the product's name. */
  pageTitle: string;
  title: string;
  /** Paragraphs that say what will happen. */
  consequences: string[];
  /** The button's text before and during the request; null offers nothing but closing. */
  verb: string | null;
  pendingVerb: string;
  /** Marks the button red. */
  isDangerous: boolean;
  /** The path of the screen below; the dialog adds its own query string. */
  closeTo: string;
  /** The id of the control that opened the dialog. */
  returnFocusTo: string;
  /** The message for a failure that the server gave no reason for. */
  failure: string;
};
