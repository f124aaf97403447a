// Without script: the same. These pages never load one.
import type { ReactNode } from "react";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { MessageBlock } from "../feedback/message-block";
import { card } from "./layout.css";
import { ProductName } from "./site-name";
import * as css from "./public-page.css";

/** A page for people who are not signed in: the product's name, and a card with one task. */
export function PublicPage({
  title,
  text,
  isHelp = false,
  children,
}: {
  title: string;
  text: string;
  /** The page is the help that the others lead to. */
  isHelp?: boolean;
  children: ReactNode;
}) {
  return (
    <main className={css.page}>
      <ProductName />
      <div className={`${card} ${css.card}`}>
        <div>
          <h1>{title}</h1>
          <p className={muted}>{text}</p>
        </div>
        {children}
      </div>
      {!isHelp && (
        <a href={paths.help} className={css.textLink}>
          Help and accessibility
        </a>
      )}
    </main>
  );
}

/** Says why an attempt was refused; the browser moves the focus to it. */
export function Rejection({ children }: { children: string | undefined }) {
  if (!children) return null;
  return (
    // eslint-disable-next-line jsx-a11y/no-autofocus -- read out without a script: the answer to the attempt
    <div role="alert" tabIndex={-1} autoFocus className={css.rejection}>
      <MessageBlock kind="error">{children}</MessageBlock>
    </div>
  );
}
