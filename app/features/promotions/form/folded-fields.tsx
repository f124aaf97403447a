// Without script: the same.
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon/icon";
import { summary } from "../../../ui/layout/layout.css";
import * as css from "./times-fields.css";

type FoldedFieldsProps = {
  title: string;
  /** Set where a field has a value or an error. */
  isOpen: boolean;
  children: ReactNode;
};

/** Optional fields behind their title. */
export function FoldedFields({ title, isOpen, children }: FoldedFieldsProps) {
  return (
    <details open={isOpen}>
      <summary className={summary}>
        <Icon name="chevron-down" />
        <strong>{title}</strong>
      </summary>
      <div className={css.folded}>{children}</div>
    </details>
  );
}
