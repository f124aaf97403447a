// Without script: the same.
import type { ReactNode } from "react";
import * as css from "./layout.css";

/** The heading of a screen with its actions at the right, then its content. */
export function Page({
  title,
  actions,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <div className={css.head}>
        <h1 tabIndex={-1}>{title}</h1>
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
      {children}
    </>
  );
}

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`${css.card} ${css.cardBody} ${className}`.trim()}>{children}</div>;
}

/** A part of a page under a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** One of the terms of a `facts` list and its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
