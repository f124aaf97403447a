// Without script: the same.
import { useEffect, useState, type ReactNode } from "react";
import { useFormContext } from "remix-validated-form";
import { Icon } from "../../../ui/icon/icon";
import { summary } from "../../../ui/layout/layout.css";
import * as css from "./times-fields.css";

type FoldedFieldsProps = {
  title: string;
  names: readonly string[];
  children: ReactNode;
};

/** Optional fields behind their title. They unfold where one has a value or an error, and are folded up by hand alone. */
export function FoldedFields({ title, names, children }: FoldedFieldsProps) {
  const { fieldErrors, defaultValues } = useFormContext();
  const isOpen = names.some(
    (name) => fieldErrors[name] || [defaultValues?.[name]].flat().some(Boolean),
  );
  const [isShown, setIsShown] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setIsShown(true);
  }, [isOpen]);
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setIsShown(currentTarget.open)}>
      <summary className={summary}>
        <Icon name="chevron-down" />
        <strong>{title}</strong>
      </summary>
      <div className={css.folded}>{children}</div>
    </details>
  );
}
