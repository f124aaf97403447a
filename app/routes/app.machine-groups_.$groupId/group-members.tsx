// Without script: boxes that belong to a form after the table.
import { Form as PlainForm, useActionData, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { useDeletedLabel } from "../../features/machines/has-platform";
import type { GroupMemberList } from "../../features/machines/group-members.server";
import { groupIntents } from "../../features/machines/machine-groups-forms";
import { groupList, type GroupListQuery } from "../../features/machines/machine-list";
import { useCanEdit } from "../../features/sign-in/viewer";
import { formatNumber } from "../../format/number";
import { Badge } from "../../ui/feedback/badge";
import { FailureNote } from "../../ui/feedback/message-block";
import { Button, SubmitButton } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { CardSection } from "../../ui/layout/detail";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { EmptyState } from "../../ui/table/list-notes";
import { useListUrl } from "../../ui/table/list-url";
import { SelectAllBox } from "../../ui/list/select-all-box";
import { ListStatus, Pagination } from "../../ui/table/pagination";
import { SearchForm } from "../../ui/list/search-form";
import { Table, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import { AddMachinesLink, useIsAdding } from "./add-machines";
import * as css from "./group-page.css";
import type { PageAnswer } from "./page.server";

const formId = "remove-machines";

type MembersProps = { members: GroupMemberList & { query: GroupListQuery } };

export function Members({ members }: MembersProps) {
  const { total, query } = members;
  const { page, perPage } = query;
  const isEditor = useCanEdit();
  const isAdding = useIsAdding();
  if (total === 0 && query.search === "") {
    return (
      <CardSection title="Machines">
        <EmptyState
          icon="machine"
          title="No machines in this group yet"
          reason="No machine accepts what is assigned to this group until you add one."
          action={isEditor && !isAdding && <AddMachinesLink />}
        />
      </CardSection>
    );
  }
  return (
    <section className={table.frame}>
      <div className={`${table.tools} ${css.tools}`}>
        <h2 className={table.heading}>Machines</h2>
        <SearchForm label="Search machines" hint="Number, name" query={query} />
      </div>
      <ListStatus data={{ page, perPage, total, rows: members.machines }} noun="machine" />
      {total === 0 ? (
        <EmptyState
          icon="search"
          title="Nothing matches"
          reason="No machine in this group has this serial number or name."
        />
      ) : (
        <MemberTable members={members} />
      )}
    </section>
  );
}

function MemberTable({ members: { machines, total, query } }: MembersProps) {
  const answer = useActionData<PageAnswer>();
  const url = useListUrl();
  const { page, perPage } = query;
  const deletedLabel = useDeletedLabel();
  const lastMessage = useLastMessage();
  const isRemoving = useNavigation().formData?.get("intent") === groupIntents.remove;
  const { form, selected, count, selectAll, clear } = useSelectedMembers();
  const isEditor = useCanEdit();
  const selection: Column<(typeof machines)[number]> = {
    heading: "Select",
    isSelection: true,
    header: <SelectHeader selected={selected} rows={machines.length} selectAll={selectAll} />,
    cell: ({ serialNumber }) => (
      <input
        type="checkbox"
        name="members"
        value={serialNumber}
        form={formId}
        // Browsers restore ticks by their place, where another row may be by then.
        autoComplete="off"
        defaultChecked={answer?.ticked?.includes(serialNumber)}
        aria-label={`Select ${serialNumber}`}
      />
    ),
  };
  return (
    <div onChange={count}>
      <Table
        caption="Machines of the group"
        fits
        isFramed={false}
        rows={machines}
        rowKey="serialNumber"
        columns={[
          ...(isEditor ? [selection] : []),
          { heading: "Serial number", isRowHeader: true, cell: (machine) => machine.serialNumber },
          { heading: "Name", className: table.withNote, cell: ({ humanName }) => humanName },
          {
            heading: "Status",
            header: (
              <th scope="col">
                <span className={visuallyHidden}>Status</span>
              </th>
            ),
            isBadge: true,
            cell: ({ isDeleted }) => isDeleted && <Badge tone="bad">{deletedLabel}</Badge>,
          },
        ]}
        footer={
          <Pagination
            page={{ page, perPage, total }}
            rowCount={machines.length}
            urlOf={url}
            pageSizes={groupList.pageSizes}
            params={url.params}
          />
        }
      />
      {isEditor && (
        <PlainForm
          ref={form}
          method="post"
          id={formId}
          aria-label="Selected machines"
          tabIndex={-1}
          preventScrollReset
          className={css.bar}
        >
          <IdempotencyKey key={lastMessage} suffix={formId} />
          <FailureNote isPending={isRemoving}>{answer?.removal}</FailureNote>
          <span role="status" className={selected > 0 ? css.selected : visuallyHidden}>
            {selected > 0 && `${formatNumber(selected)} selected`}
          </span>
          <SubmitButton
            name="intent"
            value={groupIntents.remove}
            variant="default"
            isPending={isRemoving}
            pendingLabel="Removing..."
          >
            Remove selected machines
          </SubmitButton>
          {selected > 0 && (
            <Button type="button" variant="quiet" onClick={clear}>
              Clear
            </Button>
          )}
        </PlainForm>
      )}
    </div>
  );
}

/** Ticks the machines of the page, and counts the ticked ones while scripts run. */
function useSelectedMembers() {
  const form = useRef<HTMLFormElement>(null);
  const [selected, setSelected] = useState(0);
  const boxes = () =>
    [...(form.current?.elements ?? [])].filter(
      (element): element is HTMLInputElement =>
        element instanceof HTMLInputElement && element.name === "members",
    );
  const count = () => setSelected(boxes().filter(({ checked }) => checked).length);
  const selectAll = (isSelected: boolean) => {
    for (const box of boxes()) box.checked = isSelected;
    count();
  };
  const clear = () => {
    selectAll(false);
    // The button that was pressed goes.
    form.current?.focus();
  };
  // After each rendering, which may have other boxes.
  useEffect(count);
  return { form, selected, count, selectAll, clear };
}

/** The header of the boxes: with scripts it ticks them all. */
function SelectHeader({
  selected,
  rows,
  selectAll,
}: {
  selected: number;
  rows: number;
  selectAll: (isSelected: boolean) => void;
}) {
  const areScriptsRunning = useAreScriptsRunning();
  return (
    <th scope="col" className={css.box}>
      {areScriptsRunning ? (
        <label>
          <SelectAllBox ticked={selected} count={rows} onTick={selectAll} />{" "}
          <span>Select this page</span>
        </label>
      ) : (
        <span className={visuallyHidden}>Select</span>
      )}
    </th>
  );
}
