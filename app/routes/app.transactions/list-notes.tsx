// Without script: the same.
import { Link } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes as notesStyle } from "../../ui/layout/layout.css";
import { EmptyState } from "../../ui/table/empty-state";
import { useListAddress } from "../../ui/table/list-address";
import { withoutFilters } from "./filter-fields";
import type { TransactionListData } from "./route";

type ListProps = { list: TransactionListData };

/** What the list has to say about itself: values that meant nothing, and how far it looked. */
export function ListNotes({ list }: ListProps) {
  const older = useOlder(list);
  const notes = [...list.problems];
  if (list.isFallback) notes.push("That page has no rows: this is the nearest one");
  const isCut = list.stoppedAt !== null && list.rows.length > 0;
  if (notes.length === 0 && !isCut) return null;
  return (
    <div className={notesStyle}>
      {notes.length > 0 && <MessageBlock kind="warning">{`${notes.join(". ")}.`}</MessageBlock>}
      {isCut && (
        <MessageBlock kind="info">
          {`This is what there is since ${list.stoppedAt}. `}
          <Link to={older} preventScrollReset>
            Look further back
          </Link>
        </MessageBlock>
      )}
    </div>
  );
}

/** Nothing there at all, nothing that matches, or nothing so far. */
export function NoRows({ list }: ListProps) {
  const address = useListAddress();
  const older = useOlder(list);
  if (list.filters.length === 0) {
    return (
      <EmptyState
        icon="receipt"
        title="No transactions yet"
        reason="Each code that a machine accepts appears here, with what it took off the price."
      />
    );
  }
  if (list.stoppedAt !== null) {
    return (
      <EmptyState
        icon="search"
        title={`Nothing matches since ${list.stoppedAt}`}
        reason="Older transactions were not looked at yet. A serial number, a code or dates lead there faster."
        action={
          <ButtonLink to={older} preventScrollReset variant="primary">
            Look further back
          </ButtonLink>
        }
      />
    );
  }
  return (
    <EmptyState
      icon="search"
      title={list.page > 1 ? "Nothing older matches" : "Nothing matches"}
      reason="No transaction has all that the filters above ask for."
      action={<ButtonLink to={address(withoutFilters)}>Clear the filters</ButtonLink>}
    />
  );
}

function useOlder(list: TransactionListData): string {
  const address = useListAddress();
  return address({ page: `${list.page + 1}`, after: list.next ?? "" });
}
