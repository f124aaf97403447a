// Without script: the same.
import { button } from "../../ui/form/button.css";

/** Properties of each page of the showcase: the query of its address is its whole state. */
export type ShowcaseProps = { query: URLSearchParams };

/** A link that leads nowhere where there is no step. */
export function StepLink({ label, href }: { label: string; href: string | false }) {
  return href === false ? (
    <span role="link" aria-disabled="true" className={button.default}>
      {label}
    </span>
  ) : (
    <a href={href} className={button.default}>
      {label}
    </a>
  );
}

/** Returns the address of the page with parameters changed. */
export function linkWith(query: URLSearchParams, changes: Record<string, string>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) params.set(name, value);
  return `?${params}`;
}
