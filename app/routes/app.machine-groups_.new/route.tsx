import { randomUUID } from "node:crypto";
import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  useActionData,
  useLoaderData,
  useNavigation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { useState } from "react";
import { DomainError, statusOfReason } from "../../errors";
import { GroupFields } from "../../features/machines/group-fields";
import { createMachineGroup } from "../../features/machines/machine-groups.server";
import { newGroupValidator } from "../../features/machines/machine-groups-forms";
import { actionOrSignIn, networkErrorMessage } from "../../forms/network-errors";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/submit-button";
import { Card, Page } from "../../ui/layout/page";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}New group - Machine Groups - Promo Console` },
];

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json({ once: randomUUID(), wasRefused: wasRefused(args.context) });
}

export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();

  const refill = async (errors: FieldErrors, status: number, once = posted.get("_once")) => {
    if (status !== 200) markRefused(args.context);
    const answer = await refillForm(errors, Object.fromEntries(posted), { status }).json();
    return json({ ...answer, once: once ? String(once) : null }, { status });
  };

  if (posted.get("intent") === "restore") return refill({}, 200);
  const { data, error } = await newGroupValidator.validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  try {
    const { id } = await createMachineGroup(data, {
      actor: session.actor,
      idempotencyKey: String(posted.get("_once") ?? "") || null,
    });
    const text = "Machine group successfully created";
    return await redirectWithMessage(session, paths.machineGroup(id), { kind: "success", text });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const errors = Object.keys(cause.fields).length
      ? cause.fields
      : { [wholeFormError]: cause.message };
    // A conflict means that this form was sent before with other values: it gets a key of its own.
    const once = cause.reason === "conflict" ? randomUUID() : undefined;
    return refill(errors, statusOfReason[cause.reason], once);
  }
}

/** With scripts the page outlives a request that gets no answer, and so does what was typed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    const sentence = networkErrorMessage(cause, "Error creating machine group");
    return { fieldErrors: { [wholeFormError]: sentence } };
  }
}

export default function NewGroup() {
  const { once } = useLoaderData<typeof loader>();
  const answer = useActionData<{ once?: string | null }>();
  // One key for as long as the form is on the screen: a repeated attempt creates once.
  const [key] = useState(answer?.once ?? once);
  const isPending = useNavigation().formMethod === "POST";
  return (
    <Page title="New group">
      <Card>
        <Form id="new-group" validator={newGroupValidator} defaultValues={{ kind: "site" }}>
          <input type="hidden" name="_once" value={answer?.once ?? key} />
          <GroupFields />
          <p className={formStyles.hint}>Its machines are added on the next page.</p>
          <div className={formStyles.formActions}>
            <SubmitButton isPending={isPending} pendingLabel="Creating...">
              Create group
            </SubmitButton>
            <ButtonLink to={paths.machineGroups}>Cancel</ButtonLink>
          </div>
        </Form>
      </Card>
    </Page>
  );
}
