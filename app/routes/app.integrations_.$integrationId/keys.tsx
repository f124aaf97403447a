// Without script: a table with links, and a form that comes back filled but for the password.
import { useActionData, useNavigation, useSearchParams } from "@remix-run/react";
import {
  keyDays,
  keyStateLabels,
  keyValidator,
  type KeyView,
} from "../../features/integrations/integration";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { RadioGroup } from "../../ui/form/choice-fields";
import { Form, IdempotencyKey, PendingSubmit } from "../../ui/form/form";
import { formActions, labelNote } from "../../ui/form/form.css";
import { TextField } from "../../ui/form/text-field";
import { Card, Section } from "../../ui/layout/page";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { EmptyState } from "../../ui/table/empty-state";
import { useListUrl } from "../../ui/table/list-url";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import type { IntegrationPageData } from "./route";

const tones: Record<KeyView["state"], Tone> = { active: "ok", expired: "warn", revoked: "off" };

export function KeyTable({
  page: { id: integrationId, keys, pageSizes, ...page },
}: {
  page: IntegrationPageData;
}) {
  const url = useListUrl();
  const [params] = useSearchParams();
  const search = params.size > 0 ? `?${params}` : "";
  if (page.total === 0) {
    return (
      <EmptyState
        icon="key"
        title="No keys yet"
        reason="With a key this integration can redeem codes and take redemptions back, and nothing else."
      />
    );
  }
  return (
    <Table
      caption="Keys"
      onApproach={preloadModal}
      rows={keys}
      columns={[
        { heading: "Key", isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
        {
          heading: "Machine",
          className: table.twoLines,
          cell: ({ machine }) =>
            machine ? (
              <>
                <a href={paths.machine(machine.serialNumber)}>{machine.serialNumber}</a>
                <span>{machine.humanName}</span>
              </>
            ) : (
              "Any"
            ),
        },
        { heading: "Made on", cell: ({ created }) => created },
        { heading: "Valid until", cell: ({ expires }) => expires },
        { heading: "Last used", cell: ({ lastUsed }) => lastUsed },
        {
          heading: "State",
          isBare: true,
          className: table.status,
          cell: ({ state }) => <Badge tone={tones[state]}>{keyStateLabels[state]}</Badge>,
        },
        {
          heading: "Actions",
          isNumber: true,
          isBare: true,
          className: table.actions,
          cell: ({ id, name, state }) =>
            state === "active" && (
              <a id={`revoke-${id}`} href={`${paths.keyRevocation(integrationId, id)}${search}`}>
                Revoke<span className={visuallyHidden}> {name}</span>
              </a>
            ),
        },
      ]}
      footer={
        page.total > pageSizes[0]! && (
          <Pagination page={page} rowCount={keys.length} urlOf={url} pageSizes={pageSizes} />
        )
      }
    />
  );
}

export function KeyForm({ page }: { page: IntegrationPageData }) {
  const { id, machines, needsPassword, idempotencyKey } = page;
  const answer = useActionData<{ secret?: string; fieldErrors?: Record<string, string> }>();
  // The ten minutes may have passed while the form was open.
  const asksPassword = needsPassword || answer?.fieldErrors?.password !== undefined;
  const isPending = useNavigation().formAction?.split("?")[0] === paths.integration(id);
  return (
    <Section title="New key">
      <Card>
        {/* After a key was made it is empty again. */}
        <Form
          key={answer?.secret ?? ""}
          id="new-key"
          validator={keyValidator}
          defaultValues={{ days: "90" }}
        >
          <IdempotencyKey value={idempotencyKey} />
          <TextField
            name="machine"
            label={
              <>
                Machine <span className={labelNote}>optional</span>
              </>
            }
            hint="The serial number of the one machine that it may be used for. Left empty, it is good for all."
            list={machines.length > 0 ? "machines" : undefined}
          />
          <SerialSuggestions id="machines" machines={machines} />
          <RadioGroup
            name="days"
            legend="Valid for"
            options={Object.entries(keyDays).map(([value, label]) => ({ value, label }))}
          />
          {asksPassword && (
            <TextField
              name="password"
              type="password"
              label="Your password"
              hint="It was checked more than 10 minutes ago."
              autoComplete="current-password"
              width="medium"
            />
          )}
          <div className={formActions}>
            <PendingSubmit isPending={isPending} pendingLabel="Creating...">
              Create key
            </PendingSubmit>
          </div>
        </Form>
      </Card>
    </Section>
  );
}
