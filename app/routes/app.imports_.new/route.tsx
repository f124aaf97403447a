import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, invalidFields } from "../../errors";
import { importKinds, isImportKind, type ImportKind } from "../../features/imports/import-kinds";
import { requireKind, whyUnavailable } from "../../features/imports/imports.server";
import { stageImport } from "../../features/imports/stage-import.server";
import { pageMeta } from "../../forms/page-meta";
import { type FieldErrors, idempotencyField } from "../../forms/validator";
import { screenRoute, statusOf } from "../../http/answers.server";
import { readFileForm, takeUpload } from "../../http/file-form.server";
import { chooseAgainMessage, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { Page } from "../../ui/layout/page";
import { ImportForm } from "./import-form";

export const meta = pageMeta();

export const loader = formLoader(requireEditor, async ({ request }, { user }) => {
  const kinds = (Object.keys(importKinds) as ImportKind[]).filter(
    (kind) => user.role === "admin" || !importKinds[kind].isForAdmins,
  );
  return {
    kind: new URL(request.url).searchParams.get("kind"),
    kinds: await Promise.all(
      kinds.map(async (kind) => ({
        kind,
        label: importKinds[kind].label,
        unavailable: await whyUnavailable(kind),
        columns: importKinds[kind].columns.map(({ name, isRequired, help }) => ({
          name,
          help,
          required: isRequired ? "Yes" : "No",
        })),
      })),
    ),
  };
});

const fileField = "file";

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireEditor(args);
  const { actor } = session;
  let leave = () => {};
  let sentKind = "";
  try {
    const { result, field: sent } = await readFileForm(
      args.request,
      fileField,
      async ({ name, bytes }, field) => {
        sentKind = field("kind");
        leave = takeUpload(actor.id);
        if (!isImportKind(sentKind)) throw invalidFields({ kind: "Choose what the file holds" });
        await requireKind(sentKind, actor);
        const idempotencyKey = field(idempotencyField) || null;
        return stageImport({ kind: sentKind, fileName: name, bytes }, { actor, idempotencyKey });
      },
    );
    sentKind = sent("kind");
    if (!result) throw invalidFields({ file: "Choose a CSV file" });
    return await redirectWithMessage(session, paths.import(result.id), {
      kind: "success",
      text: "File uploaded. Nothing is imported before you confirm it.",
    });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    args.context.wasRefused = true;
    const errors: FieldErrors =
      Object.keys(cause.fields).length > 0 ? cause.fields : { [fileField]: cause.message };
    const fieldErrors = { ...errors, [fileField]: errors[fileField] ?? chooseAgainMessage };
    return json({ fieldErrors, kind: sentKind }, statusOf(cause));
  } finally {
    leave();
  }
});

export default function NewImport() {
  return (
    <Page title="Import a file">
      <ImportForm />
    </Page>
  );
}
