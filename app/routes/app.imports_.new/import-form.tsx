// Without script: the same. It posts as a document, because a large file takes longer than a request of scripts may.
import { useActionData, useLoaderData } from "@remix-run/react";
import { isImportKind, kindOf, maxImportBytes } from "../../features/imports/import";
import { formatBytes } from "../../format/number";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { describedBy, ErrorSummary, Field } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import type { action, loader } from "./route";

export function ImportForm() {
  const { kinds } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const errors: Record<string, string | undefined> = answer?.fieldErrors ?? {};
  return (
    <div className={parts}>
      <Card className={formCard}>
        <form method="post" encType="multipart/form-data" className={form.form}>
          {Object.keys(errors).length > 0 && (
            <ErrorSummary
              errors={Object.entries(errors).map(([field, message]) => ({
                field,
                message: message ?? "",
              }))}
            />
          )}
          <IdempotencyKey />
          <KindField kinds={kinds} kind={answer?.kind} error={errors.kind} />
          <Field
            name="file"
            label="CSV file"
            hint={`UTF-8, with commas or semicolons, and the names of the columns in the first row. At most ${formatBytes(maxImportBytes)}.`}
            error={errors.file}
          >
            <input
              id="file"
              name="file"
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              aria-invalid={errors.file ? true : undefined}
              aria-describedby={describedBy("file", { error: errors.file, hint: true })}
              className={form.input}
            />
          </Field>
          <p className={form.hint}>
            The file is checked row by row. You see what would be imported, and confirm it then.
          </p>
          <div className={form.formActions}>
            <Button type="submit" variant="primary">
              Upload and check
            </Button>
            <ButtonLink to={paths.imports}>Cancel</ButtonLink>
          </div>
        </form>
      </Card>
      {kinds.map(({ kind, label }) => (
        <Columns key={kind} kind={kind} label={label} />
      ))}
    </div>
  );
}

/** The choice of what the file holds, where there is one. */
function KindField({
  kinds,
  kind,
  error,
}: {
  kinds: readonly { kind: string; label: string }[];
  kind: string | undefined;
  error: string | undefined;
}) {
  const [first, second] = kinds;
  if (!second) return <input type="hidden" name="kind" value={first?.kind} />;
  return (
    <Field name="kind" label="Content" error={error}>
      <select
        id="kind"
        name="kind"
        defaultValue={kind || first?.kind}
        className={form.input}
        aria-describedby={describedBy("kind", { error })}
      >
        {kinds.map((choice) => (
          <option key={choice.kind} value={choice.kind}>
            {choice.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Columns({ kind, label }: { kind: string; label: string }) {
  if (!isImportKind(kind)) return null;
  return (
    <CardSection
      title={`Columns for ${label.toLowerCase()}`}
      note={
        <ButtonLink to={paths.importTemplate(kind)} reloadDocument icon="download" size="small">
          Template
        </ButtonLink>
      }
    >
      <Table
        id={`columns-${kind}`}
        caption={`Columns for ${label.toLowerCase()}`}
        isFramed={false}
        rows={kindOf(kind).columns}
        rowKey="name"
        columns={[
          { heading: "Column", isRowHeader: true, cell: ({ name }) => name },
          { heading: "Required", cell: ({ isRequired }) => (isRequired ? "Yes" : "No") },
          { heading: "Content", cell: ({ help }) => help },
        ]}
      />
    </CardSection>
  );
}
