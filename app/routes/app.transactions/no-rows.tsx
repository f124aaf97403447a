// Without script: the same.
import { transactionList } from "../../features/transactions/transaction-filters";
import { ButtonLink } from "../../ui/form/button";
import { NothingMatches } from "../../ui/table/filter-bar";
import { EmptyState } from "../../ui/table/list-notes";
import type { TransactionListData } from "./route";

/** No transaction at all, none that matches, or none so far. */
export function NoRows({ list, older }: { list: TransactionListData; older: string }) {
  if (list.filters.length === 0) {
    return (
      <EmptyState
        icon="receipt"
        title="No transactions yet"
        reason="Each code that a machine accepts appears here, with its discount."
      />
    );
  }
  if (list.stoppedAt !== null) {
    return (
      <EmptyState
        icon="search"
        title={`Nothing matches since ${list.stoppedAt}`}
        reason="Older transactions are not searched yet. Load them, or filter by serial number, code or date."
        action={
          <ButtonLink to={older} preventScrollReset variant="primary">
            Load older
          </ButtonLink>
        }
      />
    );
  }
  return (
    <NothingMatches
      list={transactionList}
      noun="transaction"
      title={list.page > 1 ? "Nothing older matches" : "Nothing matches"}
    />
  );
}
