/** A confirmation dialog as data, so that server and browser compose it alike. */
export type Question = {
  /** Heads the dialog and the document. */
  title: string;
  /** The question in larger type, where the title is only a heading. */
  question?: string;
  /** Paragraphs that say what will happen. */
  consequences: string[];
  /** The button's text before and during the request, with its object; null offers nothing but closing. */
  verb: string | null;
  pendingVerb: string;
  /** Text and buttons of a milder action. */
  alternative?: {
    text: string;
    /** A button that posts at once. */
    button: { label: string; pendingLabel: string; action: string };
    link: { label: string; to: string };
  };
  /** The button that does nothing; by default 'Cancel'. */
  cancel?: string;
  /** Marks the button red. */
  isDangerous: boolean;
  /** The path of the screen below; the dialog adds its own query string. */
  closeTo: string;
  /** The id of the control that gets the focus afterwards, where that is no link to the dialog. */
  returnFocusTo?: string;
  /** The message for a failure that the server gave no reason for. */
  failure: string;
};

/** Returns a question to which nothing is left to do, with the reason. */
export function answered(
  { question: _question, alternative: _alternative, ...rest }: Question,
  reason: string,
): Question {
  return { ...rest, consequences: [reason], verb: null, isDangerous: false };
}
