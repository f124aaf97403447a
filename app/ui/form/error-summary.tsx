// Without script: the same, focused by the browser when the page is loaded.
import { forwardRef } from "react";
import { Icon } from "../icon/icon";
import * as styles from "./form.css";

/** Lists the errors of a form; those about a field link to it. */
export const ErrorSummary = forwardRef<
  HTMLDivElement,
  { errors: readonly { field: string | null; sentence: string }[] }
>(function ErrorSummary({ errors }, ref) {
  return (
    <div
      ref={ref}
      className={styles.errorSummary}
      role="alert"
      tabIndex={-1}
      // The page answers what was just sent: without scripts this is what moves focus here.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
    >
      <h2 className={styles.errorSummaryTitle}>
        <Icon name="alert" /> There is a problem
      </h2>
      <ul className={styles.errorSummaryList}>
        {errors.map(({ field, sentence }) => (
          <li key={field}>{field === null ? sentence : <a href={`#${field}`}>{sentence}</a>}</li>
        ))}
      </ul>
    </div>
  );
});
