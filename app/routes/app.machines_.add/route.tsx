import { useActionData, useLoaderData } from "@remix-run/react";
import { useField } from "remix-validated-form";
import { notUtf8 } from "../../codec/csv-reader.server";
import { invalidFields } from "../../errors";
import { platformKind } from "../../features/machines/platform.server";
import {
  machineFileError,
  maxNewMachines,
  newMachinesError,
  newMachinesValidator,
  parseMachineList,
  toMachineLine,
} from "../../features/machines/manual-machine-forms";
import { addMachinesByHand } from "../../features/machines/manual-machines.server";
import { countOf, formatNumber } from "../../format/number";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader, type FormPost } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastDefined } from "../../ui/form/last-defined";
import { formCard } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { Form, FormSubmit, TextArea } from "../../ui/validated-form/form";

const fileField = "file";

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async ({ request }) => ({
  hasPlatform: (await platformKind()) !== "none",
  list: toMachineLine(new URL(request.url).searchParams.get("serial") ?? ""),
}));

export const action = formAction({
  guard: requireAdmin,
  validator: newMachinesValidator,
  secrets: [fileField],
  rerender: async (post) => ({ machines: await readList(post) }),
  async run(_input, post) {
    const { error } = await readFile(post);
    if (error !== null) throw invalidFields({ [fileField]: error });
    const list = await readList(post);
    const message = newMachinesError(list);
    if (message !== null) return { errors: { machines: message }, status: 422 };
    const { machines } = parseMachineList(list);
    await addMachinesByHand(machines, post.options);
    return { to: paths.machines, text: `${countOf(machines.length, "machine")} added` };
  },
});

function fileOf({ posted }: FormPost): File {
  const file = posted.get(fileField);
  return file instanceof File ? file : new File([], "");
}

/** Returns the lines of the file, or why it can't be read. */
async function readFile(post: FormPost): Promise<{ lines: string; error: string | null }> {
  const file = fileOf(post);
  const error = machineFileError(file);
  if (error !== null) return { lines: "", error };
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return { lines: decoder.decode(await file.arrayBuffer()), error };
  } catch {
    return { lines: "", error: notUtf8 };
  }
}

/** Joins what was typed and the file, unless that can't be read. */
async function readList(post: FormPost): Promise<string> {
  const { lines } = await readFile(post);
  return [post.field("machines"), lines].filter((text) => text.trim() !== "").join("\n");
}

export const clientAction = rerenderForm("Error adding machines", machineFileError);

export default function AddMachines() {
  const { hasPlatform } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Add machines"
      actions={
        !hasPlatform && (
          <ButtonLink to={`${paths.newImport}?kind=machines`}>Check a file first</ButtonLink>
        )
      }
    >
      {hasPlatform ? (
        <MessageBlock kind="info">
          SmartVend lists the machines of this site. Add machines there.
        </MessageBlock>
      ) : (
        <Card className={formCard}>
          <NewMachines />
        </Card>
      )}
    </Page>
  );
}

function NewMachines() {
  const loaded = useLoaderData<typeof loader>();
  // An attempt without an answer leaves the text as it is.
  const list = useLastDefined(useActionData<{ machines?: string }>()?.machines) ?? loaded.list;
  return (
    <Form id="new-machines" validator={newMachinesValidator} encType="multipart/form-data">
      <IdempotencyKey />
      <TextArea
        key={list}
        name="machines"
        defaultValue={list}
        label="Machines"
        hint={`One machine per line: its serial number, then its name, such as VM-1001, Central Station. At most ${formatNumber(maxNewMachines)}.`}
      />
      {/* Its lines stand in the text after an answer. */}
      <ListFile key={`${list}-file`} />
      <FormSubmit pendingLabel="Adding..." label="Add machines">
        <ButtonLink to={paths.machines}>Cancel</ButtonLink>
      </FormSubmit>
    </Form>
  );
}

function ListFile() {
  const { error } = useField(fileField);
  return (
    <InputField
      name={fileField}
      type="file"
      autoComplete={undefined}
      accept=".csv,.txt,text/csv,text/plain"
      label="CSV file"
      hint="Instead, or in addition: two columns, serial number and name. At most 200 kB."
      error={error}
    />
  );
}
