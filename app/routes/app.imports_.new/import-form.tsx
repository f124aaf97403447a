// Without script: the same. It posts as a document, because a large file takes longer than a request of scripts may.
import type { SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { maxImportBytes, maxImportRows } from "../../features/imports/import";
import { formatBytes, formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { connectionNotice } from "../../ui/connection/connection-notice";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { ErrorSummary, InputField, SelectField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import type { action, loader } from "./route";

export function ImportForm() {
  const { kinds, kind } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const errors: Record<string, string> = { ...answer?.fieldErrors };
  const [isPending, setIsPending] = useState(false);
  useEffect(() => {
    const stopPending = () => setIsPending(false);
    // Back may show the page as it was left.
    addEventListener("pageshow", stopPending);
    // Nothing is sent without a connection; 'Try again' submits the form again.
    const unsubscribe = connectionNotice.subscribe(stopPending);
    return () => {
      removeEventListener("pageshow", stopPending);
      unsubscribe();
    };
  }, []);
  const available = kinds.filter(({ unavailable }) => unavailable === null);
  const hints = kinds.flatMap(({ label, unavailable }) =>
    unavailable === null ? [] : `${label} can't be imported: ${unavailable}`,
  );
  return (
    <div className={parts}>
      <Card className={formCard}>
        <form
          method="post"
          encType="multipart/form-data"
          onSubmit={() => setIsPending(true)}
          className={form.form}
        >
          {Object.keys(errors).length > 0 && (
            <ErrorSummary
              errors={Object.entries(errors).map(([field, message]) => ({
                href: `#${field}`,
                message,
              }))}
            />
          )}
          <IdempotencyKey />
          <SelectField
            name="kind"
            label="Content"
            hint={hints.join(" ") || undefined}
            error={errors.kind}
            defaultValue={answer?.kind || kind || undefined}
          >
            {available.map((choice) => (
              <option key={choice.kind} value={choice.kind}>
                {choice.label}
              </option>
            ))}
          </SelectField>
          <InputField
            name="file"
            type="file"
            autoComplete={undefined}
            accept=".csv,.txt,text/csv,text/plain"
            label="CSV file"
            hint={`UTF-8, with commas, semicolons or tabs, and the names of the columns in the first row. At most ${formatBytes(maxImportBytes)} and ${formatNumber(maxImportRows)} rows.`}
            error={errors.file}
          />
          <p className={form.hint}>
            Each row is checked, then you confirm the import. Only your ten newest unconfirmed files
            are kept.
          </p>
          <p role="status" className={form.hint}>
            {isPending &&
              "Keep this page open until the file is uploaded. To start over, reload it."}
          </p>
          <div className={form.formActions}>
            <SubmitButton isPending={isPending} pendingLabel="Uploading...">
              Upload and check
            </SubmitButton>
            <ButtonLink to={paths.imports}>Cancel</ButtonLink>
          </div>
        </form>
      </Card>
      {available.map((choice) => (
        <Columns key={choice.kind} {...choice} />
      ))}
    </div>
  );
}

type Choice = SerializeFrom<typeof loader>["kinds"][number];

function Columns({ kind, label, columns }: Choice) {
  return (
    <Table
      id={`columns-${kind}`}
      title={`Columns for ${label.toLowerCase()}`}
      tools={
        <ButtonLink to={paths.importTemplate(kind)} reloadDocument icon="download" size="small">
          Download template
        </ButtonLink>
      }
      rows={columns}
      rowKey="name"
      columns={[
        { heading: "Column", isRowHeader: true, cell: ({ name }) => name },
        { heading: "Required", cell: ({ required }) => required },
        { heading: "Content", cell: ({ help }) => help },
      ]}
    />
  );
}
