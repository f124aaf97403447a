// Without script: boxes that belong to a form after the table.
import type { SerializeFrom } from "@remix-run/node";
import { Form, useNavigation } from "@remix-run/react";
import { groupList, type GroupListQuery } from "../../features/machines/machine-list";
import type { GroupMemberList } from "../../features/machines/group-members.server";
import { groupIntents } from "../../features/machines/machine-groups-forms";
import { Badge } from "../../ui/feedback/badge";
import { FailureNote } from "../../ui/feedback/message-block";
import * as form from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/button";
import { Card, Section } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/list-notes";
import { useListUrl } from "../../ui/table/list-url";
import { Pagination, Table } from "../../ui/table/table";
import { SearchForm } from "../../ui/table/search-form";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./group-page.css";
import type { PageAnswer } from "./page.server";

const formId = "remove-machines";

type MembersProps = {
  members: GroupMemberList & { query: GroupListQuery };
  answer: SerializeFrom<PageAnswer> | undefined;
};

export function Members({ members, answer }: MembersProps) {
  const { total, query } = members;
  const isEmpty = total === 0 && query.search === "";
  return (
    <Section title="Machines">
      {isEmpty ? (
        <Card>
          <EmptyState
            icon="machine"
            title="No machine in this group yet"
            reason="Until it has one, no machine accepts what is assigned to it."
          />
        </Card>
      ) : (
        <>
          <SearchForm
            label="Search its machines"
            hint="By serial number or name."
            search={query.search}
            kept={{ per_page: `${query.perPage}` }}
          />
          {total === 0 ? (
            <p>No machine of this group matches the search.</p>
          ) : (
            <MemberTable members={members} answer={answer} />
          )}
        </>
      )}
    </Section>
  );
}

function MemberTable({ members: { machines, total, query }, answer }: MembersProps) {
  const url = useListUrl();
  const { page, perPage, search } = query;
  const isRemoving = useNavigation().formData?.get("intent") === groupIntents.remove;
  return (
    <>
      <Table
        caption="Machines of the group"
        fits
        rows={machines}
        rowKey="serialNumber"
        columns={[
          {
            heading: "Select",
            header: (
              <th scope="col" className={css.box}>
                <span className={visuallyHidden}>Select</span>
              </th>
            ),
            cell: ({ serialNumber }) => (
              <input
                type="checkbox"
                name="members"
                value={serialNumber}
                form={formId}
                defaultChecked={answer?.ticked?.includes(serialNumber)}
                className={form.checkbox}
                aria-label={`Select ${serialNumber}`}
              />
            ),
          },
          { heading: "Serial number", isRowHeader: true, cell: (machine) => machine.serialNumber },
          { heading: "Name", className: table.withNote, cell: ({ humanName }) => humanName },
          {
            heading: "State",
            header: (
              <th scope="col">
                <span className={visuallyHidden}>State</span>
              </th>
            ),
            isBadge: true,
            cell: ({ isDeleted }) => isDeleted && <Badge tone="bad">Deleted from SmartVend</Badge>,
          },
        ]}
        footer={
          <Pagination
            page={{ page, perPage, total }}
            rowCount={machines.length}
            urlOf={url}
            pageSizes={groupList.pageSizes}
            kept={search ? { search } : {}}
          />
        }
      />
      <Form method="post" id={formId} preventScrollReset className={css.bar}>
        <FailureNote isPending={isRemoving}>{answer?.removal}</FailureNote>
        <SubmitButton
          name="intent"
          value={groupIntents.remove}
          variant="default"
          isPending={isRemoving}
          pendingLabel="Removing..."
        >
          Remove selected machines
        </SubmitButton>
      </Form>
    </>
  );
}
