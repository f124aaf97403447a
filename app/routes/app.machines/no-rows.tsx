// Without script: the same.
import { ButtonLink } from "../../ui/form/button";
import { EmptyState } from "../../ui/table/empty-state";
import * as table from "../../ui/table/table.css";
import type { MachineListData } from "./list-cache";
import { ListTools } from "./list-tools";
import { useListUrl } from "./list-url";

/** No machine at all, or none that matches. */
export function NoRows({ list }: { list: MachineListData }) {
  const listUrl = useListUrl();
  return (
    <div className={table.frame}>
      <div className={table.tools}>
        <ListTools list={list} />
      </div>
      {list.isFiltered ? (
        <EmptyState
          icon="search"
          title="Nothing matches"
          reason="No machine has what is looked for in its serial number or name."
          action={
            <ButtonLink to={listUrl({ serial_number: "", name: "" })}>Clear filters</ButtonLink>
          }
        />
      ) : (
        <EmptyState
          icon="machine"
          title="No machines found"
          reason="Machines appear here once the vending platform lists them."
        />
      )}
    </div>
  );
}
