// Without script: a table with links, and a form that comes back filled but for the password.
import { useSearchParams } from "@remix-run/react";
import {
  keyStateLabels,
  keyValidator,
  type KeyView,
} from "../../features/integrations/integration";
import { KeyOptions } from "../../features/sign-in/key-options";
import { keyScopes, type KeyScope } from "../../features/sign-in/key-scopes";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { IconRowLink } from "../../ui/form/button";
import { Checkbox, Form, FormSubmit, PasswordAgain, TextField } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastSecret } from "../../ui/form/new-secret";
import { FormCard } from "../../ui/layout/detail";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { useListUrl } from "../../ui/table/list-url";
import { ListStatus, Pagination } from "../../ui/table/pagination";
import { rowActions } from "../../ui/table/row-actions.css";
import { LinkedMachine, type Column } from "../../ui/table/table";
import { TableOrNote } from "../../ui/table/table-or-note";
import * as table from "../../ui/table/table.css";
import type { IntegrationPageData } from "./route";
import { optional } from "../../ui/form/field";

const tones: Record<KeyView["state"], Tone> = {
  active: "ok",
  ending: "warn",
  renewed: "info",
  expired: "warn",
  revoked: "off",
};

type PageProps = { page: IntegrationPageData };

export function KeyTable({ page: { id: integrationId, keys, pageSizes, ...page } }: PageProps) {
  const url = useListUrl();
  return (
    <>
      <ListStatus data={{ ...page, rows: keys }} noun="key" />
      <TableOrNote
        title="Keys"
        empty={{
          title: "No keys yet",
          reason: "A key lets this integration redeem codes and make other calls that you allow.",
        }}
        onApproach={preloadModal}
        rows={keys}
        columns={[
          ...columns,
          {
            heading: "Actions",
            hasActions: true,
            isBare: true,
            cell: (key) => <KeyActions integrationId={integrationId} keyView={key} />,
          },
        ]}
        footer={
          page.total > pageSizes[0]! && (
            <Pagination page={page} rowCount={keys.length} urlOf={url} pageSizes={pageSizes} />
          )
        }
      />
    </>
  );
}

const columns: Column<KeyView>[] = [
  { heading: "Key", isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
  {
    heading: "Machine",
    className: table.twoLines,
    cell: ({ machine, isTest }) =>
      isTest ? "Test machine" : machine ? <LinkedMachine {...machine} /> : "Any",
  },
  { heading: "Wrong codes allowed", cell: ({ limit }) => `${limit} a minute` },
  { heading: "Scopes", className: table.withNote, cell: ({ scopes }) => scopes },
  { heading: "Created", cell: ({ created }) => created },
  { heading: "Valid until", cell: ({ expires }) => expires },
  { heading: "Last used", cell: ({ lastUsed }) => lastUsed },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ state }) => <Badge tone={tones[state]}>{keyStateLabels[state]}</Badge>,
  },
];

function KeyActions({ integrationId, keyView }: { integrationId: string; keyView: KeyView }) {
  const [params] = useSearchParams();
  const search = params.size > 0 ? `?${params}` : "";
  const { id, name, isActive, canRenew, canChangeLimit } = keyView;
  const actions = [
    canRenew && (["refresh", `Renew ${name}`, paths.keyRenewal] as const),
    canChangeLimit && (["edit", `Change limit of ${name}`, paths.keyLimit] as const),
    isActive && (["power", `Revoke ${name}`, paths.keyRevocation] as const),
  ].filter((action) => action !== false);
  if (actions.length === 0) return null;
  return (
    <div className={rowActions}>
      {actions.map(([icon, label, path]) => (
        <IconRowLink
          key={icon}
          icon={icon}
          label={label}
          href={`${path(integrationId, id)}${search}`}
        />
      ))}
    </div>
  );
}

const allScopes = Object.keys(keyScopes) as KeyScope[];

export function KeyForm({ page }: PageProps) {
  const { machines } = page;
  return (
    <FormCard title="New key">
      {/* After a key was made it is empty again. */}
      <Form
        key={useLastSecret()}
        id="new-key"
        validator={keyValidator}
        defaultValues={{ days: "90", scopes: ["redeem"] }}
      >
        <IdempotencyKey />
        <TextField
          name="machine"
          label={optional("Machine")}
          hint="The serial number of the only machine that may redeem with the key. Leave empty for all machines."
          list={machines.length > 0 ? "machines" : undefined}
        />
        <SerialSuggestions id="machines" machines={machines} />
        <KeyOptions scopes={allScopes} />
        <Checkbox
          name="test_key"
          label="Test key: redeems test codes at the test machine, and nothing else"
        />
        <PasswordAgain />
        <FormSubmit pendingLabel="Creating..." label="Create key" />
      </Form>
    </FormCard>
  );
}
