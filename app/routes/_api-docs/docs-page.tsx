// Without script: the same. These pages never load one.
import { Fragment, type ReactNode } from "react";
import { paths } from "../../paths";
import { useSite } from "../../ui/layout/site-name";
import { LinkTabs } from "../../ui/layout/page";
import * as css from "./docs.css";
import { docsPaths } from "./docs-paths";

export const docsHandle = { hydrate: false, icons: [] };

const tabs = [
  { to: paths.apiDocs, label: "Redeem codes" },
  { to: docsPaths.webhooks, label: "Events and webhooks" },
  { to: docsPaths.calls, label: "All calls" },
];

type Contents = Record<string, string>;

/** A page of the documentation, with its contents beside it: titles by the ids of its sections. */
export function DocsPage({
  title,
  current,
  contents,
  children,
}: {
  title: string;
  /** The tab that it belongs to. */
  current: string;
  contents: Contents;
  children: ReactNode;
}) {
  const { name } = useSite();
  return (
    <main id="main" className={css.page}>
      <p>
        <a href={paths.home}>{name}</a>
      </p>
      <h1>{title}</h1>
      <LinkTabs
        label="Documentation"
        tabs={tabs.map(({ to, label }) => ({ to, label, isCurrent: to === current }))}
      />
      <div className={css.columns}>
        <nav aria-label="Contents" className={css.contents}>
          <ul>
            {Object.entries(contents).map(([id, text]) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={css.prose}>{children}</div>
      </div>
    </main>
  );
}

/** A section whose title is in the contents of its page. */
export function Section<Ids extends Contents>({
  of,
  id,
  children,
}: {
  of: Ids;
  id: keyof Ids & string;
  children: ReactNode;
}) {
  return (
    <section id={id} className={css.prose}>
      <h2>{of[id]}</h2>
      {children}
    </section>
  );
}

/** A link to a screen; its name alone for those who can't open it. */
export function ScreenLink({
  to,
  canOpen,
  children,
}: {
  to: string;
  canOpen: boolean;
  children: string;
}) {
  return canOpen ? <a href={to}>{children}</a> : children;
}

/** An example to copy. Tests run those that have an id. */
export function Example({ id, title, code }: { id?: string; title: string; code: string }) {
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <pre id={id} className={css.code}>
        {code}
      </pre>
    </figure>
  );
}

/** Text in which names of fields and values stand between backticks. */
export function Words({ children }: { children: string }) {
  return children
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

/** A table of texts, whose first cell names the row. */
export function DocsTable({
  head,
  rows,
}: {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {head.map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">
              <Words>{name!}</Words>
            </th>
            {cells.map((text, index) => (
              <td key={index}>
                <Words>{text}</Words>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Fields of a body, an answer or an event. */
export function FieldTable({ fields }: { fields: readonly (readonly [string, string, string])[] }) {
  return <DocsTable head={["Field", "Type", "Meaning"]} rows={fields} />;
}

/** Lets a path break after its slashes. */
export function breakable(path: string) {
  return path.split("/").map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}
