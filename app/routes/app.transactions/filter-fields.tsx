// Without script: a GET form, and links for what is chosen or taken away with one press.
import { useSearchParams } from "@remix-run/react";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { describeFilter } from "../../features/transactions/filter-view";
import { transactionParameters } from "../../features/transactions/transaction-filters";
import {
  transactionStatusLabels,
  transactionTypeLabels,
} from "../../features/transactions/transaction-view";
import {
  ActiveFilters,
  ChoiceFilter,
  CreatedChoices,
  DayFilter,
  FilterBar,
  FilterFields,
  FilterForm,
  MoreFilters,
  TextFilter,
} from "../../ui/table/filter-bar";
import { useListAddress } from "../../ui/table/list-address";
import type { TransactionListData } from "./route";

type ListProps = { list: TransactionListData };

export function TransactionFilterBar({ list }: ListProps) {
  const address = useListAddress();
  const chosen = list.filters.find(([name]) => name === "created")?.[1];
  return (
    <FilterBar isOpen={Object.keys(list.filterProblems).length > 0} fields={<Fields list={list} />}>
      <CreatedChoices
        chosen={chosen}
        addressOf={(value) => address({ created: value, created_after: "", created_before: "" })}
      />
      <ActiveFilters
        filters={list.filters.map(([name, value]) => ({
          name,
          words: describeFilter(name, value, new Map(list.integrations)),
        }))}
        without={(name) => address({ [name]: "" })}
        withoutAny={address(withoutFilters)}
      />
    </FilterBar>
  );
}

/** To take all of them away. */
export const withoutFilters = Object.fromEntries(transactionParameters.map((name) => [name, ""]));

function Fields({ list }: ListProps) {
  const [params] = useSearchParams();
  const typed = (name: string) => ({
    name,
    value: list.typed[name],
    error: list.filterProblems[name],
  });
  return (
    <FilterForm
      typed={list.typed}
      kept={["per_page", "created"].map((name) => [name, params.get(name) ?? ""])}
    >
      <FilterFields>
        <TextFilter
          {...typed("machine")}
          label="Serial Number"
          list={list.machines.length > 0 ? "machines" : undefined}
        />
        <SerialSuggestions id="machines" machines={list.machines} />
        <TextFilter {...typed("promotion")} label="Code or name" />
        <DayFilter {...typed("created_after")} label="Created After" />
        <DayFilter {...typed("created_before")} label="Created Before" />
        <ChoiceFilter {...typed("status")} label="Status" options={transactionStatusLabels} />
      </FilterFields>
      <MoreFilters isOpen={list.isMoreOpen}>
        <ChoiceFilter {...typed("type")} label="Type" options={transactionTypeLabels} />
        <TextFilter
          {...typed("mass_generation_id")}
          label="Number of the mass generation"
          inputMode="numeric"
        />
        <ChoiceFilter {...typed("integration")} label="Integration" options={list.integrations} />
      </MoreFilters>
    </FilterForm>
  );
}
