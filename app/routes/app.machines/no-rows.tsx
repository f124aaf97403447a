// Without script: the same.
import { ButtonLink } from "../../ui/form/button";
import { Card } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";
import type { MachineListData } from "./last-list";
import { ListTools } from "./list-tools";
import { useListUrl } from "./list-url";
import * as css from "./list.css";

/** No machine at all, or none that matches. */
export function NoRows({ list }: { list: MachineListData }) {
  const listUrl = useListUrl();
  return (
    <Card>
      <div className={css.buttons}>
        <ListTools list={list} />
      </div>
      {list.isFiltered ? (
        <EmptyState
          icon="search"
          title="Nothing matches"
          reason="No machine has both the serial number and the name that are looked for."
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
    </Card>
  );
}
