// Without script: boxes that belong to a form after the table; a box or the selector adds machines, each a form of its own, and a link changes between the two.
import type { SerializeFrom } from "@remix-run/node";
import { Form as PlainForm, useNavigation, useSearchParams } from "@remix-run/react";
import { useRef, type ReactNode } from "react";
import { TargetPickers } from "../../features/assignments/target-picker";
import type { Picker } from "../../features/assignments/targets";
import type { GroupMemberList } from "../../features/machines/group-members.server";
import type { Pasted } from "../../features/machines/machine-group";
import { groupList, type GroupListQuery } from "../../features/machines/machine-list";
import {
  chooseValidator,
  groupIntents,
  maxConcurrent,
  pasteValidator,
} from "../../features/machines/machine-groups-forms";
import { flashParam, pageSearch } from "../../forms/list";
import { formatNumber } from "../../format/number";
import { Badge } from "../../ui/feedback/badge";
import { FailureNote } from "../../ui/feedback/message-block";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { Form, TextArea, FormButton } from "../../ui/form/form";
import * as form from "../../ui/form/form.css";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/list-notes";
import { useListUrl } from "../../ui/table/list-url";
import { SearchForm } from "../../ui/table/search-form";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./group-page.css";
import type { PageAnswer } from "./page.server";

type Answer = SerializeFrom<PageAnswer> | undefined;

/** @param pickers null where serial numbers are pasted */
export function AddMachines({ pickers, answer }: { pickers: Picker[] | null; answer: Answer }) {
  const [params] = useSearchParams();
  const attempt = useAttempt();
  const other = new URLSearchParams(pageSearch(params, ["add"]));
  if (!pickers) other.set("add", "list");
  const otherWay = (
    <ButtonLink to={`?${other}#add-machines`} preventScrollReset variant="quiet">
      {pickers ? "Paste serial numbers instead" : "Choose from the list instead"}
    </ButtonLink>
  );
  return (
    <div id="add-machines">
      <CardSection title="Add machines">
        {pickers ? (
          <Form key={attempt} id="choose-machines" validator={chooseValidator}>
            <TargetPickers
              pickers={answer?.pickers ?? pickers}
              hint="Machines already in this group are not listed."
              noneSelected="No machines selected."
            />
            <div className={form.formActions}>
              <AddButton intent={groupIntents.choose}>Add selected machines</AddButton>
              {otherWay}
            </div>
          </Form>
        ) : (
          <PasteForm answer={answer}>{otherWay}</PasteForm>
        )}
      </CardSection>
    </div>
  );
}

function PasteForm({ answer, children }: { answer: Answer; children: ReactNode }) {
  const attempt = useAttempt();
  return (
    <Form id="paste-machines" validator={pasteValidator}>
      {answer?.pasted && <PasteReport pasted={answer.pasted} />}
      <TextArea
        key={`${attempt} ${answer?.serials ?? ""}`}
        name="serials"
        label="Serial numbers"
        hint={`One per line, or separated by commas, semicolons, tabs or spaces. At most ${formatNumber(maxConcurrent)}.`}
        defaultValue={answer?.serials}
      />
      <div className={form.formActions}>
        <AddButton intent={groupIntents.paste}>Add machines</AddButton>
        {children}
      </div>
    </Form>
  );
}

/** Another one each time that the page says something was done: then nothing is entered any more. */
function useAttempt(): string {
  const message = useSearchParams()[0].get(flashParam);
  const last = useRef(message);
  if (message !== null) last.current = message;
  return last.current ?? "";
}

function AddButton({ intent, children }: { intent: string; children: string }) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <FormButton name="intent" value={intent} isPending={isPending} pendingLabel="Adding...">
      {children}
    </FormButton>
  );
}

/** More serial numbers than this are folded away. */
const maxOpen = 20;

/** Reports the result for every pasted serial number. */
function PasteReport({ pasted }: { pasted: Pasted }) {
  const lists = {
    Added: pasted.added,
    "Already in the group": pasted.alreadyIn,
    Unknown: pasted.unknown,
    "Could mean several machines": pasted.ambiguous,
    "Deleted from SmartVend": pasted.deleted,
  };
  return (
    <FactList
      aria-label="Result for the serial numbers"
      facts={Object.entries(lists).map(
        ([name, serials]) =>
          serials.length > 0 && [
            `${name} (${formatNumber(serials.length)})`,
            <Serials key={name} serials={serials} />,
          ],
      )}
    />
  );
}

function Serials({ serials }: { serials: string[] }) {
  const all = serials.join(", ");
  if (serials.length <= maxOpen) return <>{all}</>;
  return (
    <details>
      <summary>
        {serials.slice(0, 5).join(", ")} and {formatNumber(serials.length - 5)} more
      </summary>
      {all}
    </details>
  );
}

const formId = "remove-machines";

type MembersProps = { members: GroupMemberList & { query: GroupListQuery }; answer: Answer };

export function Members({ members, answer }: MembersProps) {
  const { total, query } = members;
  if (total === 0 && query.search === "") {
    return (
      <CardSection title="Machines">
        <EmptyState
          icon="machine"
          title="No machines in this group yet"
          reason="No machine accepts what is assigned to this group until you add one."
        />
      </CardSection>
    );
  }
  return (
    <section className={table.frame}>
      <div className={table.tools}>
        <h2 className={table.heading}>Machines</h2>
        <SearchForm label="Search machines" hint="Serial number or name" query={query} />
      </div>
      {total === 0 ? (
        <EmptyState
          icon="search"
          title="Nothing matches"
          reason="No machine in this group has this serial number or name."
        />
      ) : (
        <MemberTable members={members} answer={answer} />
      )}
    </section>
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
        isFramed={false}
        rows={machines}
        rowKey="serialNumber"
        columns={[
          {
            heading: "Select",
            isBare: true,
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
                aria-label={`Select ${serialNumber}`}
              />
            ),
          },
          { heading: "Serial number", isRowHeader: true, cell: (machine) => machine.serialNumber },
          { heading: "Name", className: table.withNote, cell: ({ humanName }) => humanName },
          {
            heading: "Status",
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
            params={search ? { search } : {}}
          />
        }
      />
      <PlainForm method="post" id={formId} preventScrollReset className={css.bar}>
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
      </PlainForm>
    </>
  );
}
