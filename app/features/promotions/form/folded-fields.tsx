// Without script: the same.
import type { ReactNode } from "react";
import { useFormContext } from "remix-validated-form";
import { Icon } from "../../../ui/icon/icon";
import { summary } from "../../../ui/layout/layout.css";
import * as css from "./times-fields.css";

type FoldedFieldsProps = {
  title: string;
  names: readonly string[];
  children: ReactNode;
};

/** Optional fields behind their title. They are unfolded where one has a value or an error. */
export function FoldedFields({ title, names, children }: FoldedFieldsProps) {
  const { fieldErrors, defaultValues } = useFormContext();
  const isOpen = names.some(
    (name) => fieldErrors[name] || [defaultValues?.[name]].flat().some(Boolean),
  );
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
