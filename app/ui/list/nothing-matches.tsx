// Without script: the same.
import type { ReactNode } from "react";
import type { List } from "../../lists/list";
import { ButtonLink } from "../form/button";
import { withoutFilters } from "./filter-bar";
import { EmptyState } from "../table/list-notes";
import { useListUrl } from "../table/list-url";

/** Stands in the place of rows when the filters leave none. */
export function NothingMatches({
  list,
  noun,
  title = "Nothing matches",
  reason = `No ${noun} matches all of the filters.`,
  clearLabel = "Clear filters",
  action,
}: {
  list: List;
  noun: string;
  title?: string;
  reason?: string;
  clearLabel?: string;
  /** Replaces the button that clears the filters. */
  action?: ReactNode;
}) {
  const url = useListUrl(list);
  return (
    <EmptyState
      icon="search"
      title={title}
      reason={reason}
      action={action ?? <ButtonLink to={url(withoutFilters(list))}>{clearLabel}</ButtonLink>}
    />
  );
}
