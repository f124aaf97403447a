import { randomUUID } from "node:crypto";
import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { useState } from "react";
import { DomainError, statusOfReason } from "../../errors";
import { listAssignableMachines } from "../../features/machines/list-machines.server";
import { applySelectorIntent, layOutChoices } from "../../features/machines/machine-choices";
import { copyPromotion } from "../../features/promotions/copy-promotion.server";
import { createPromotion } from "../../features/promotions/create-promotion.server";
import { formatTypedDate } from "../../features/promotions/expiry-date";
import { createIntent, singleFormValidator } from "../../features/promotions/single-form";
import { siteToday } from "../../features/promotions/site-day.server";
import { actionOrSignIn, unansweredSentence } from "../../forms/unanswered";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { Page } from "../../ui/layout/page";
import { CopyNote } from "./copy-note";
import { SingleForm } from "./single-form";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}QR Generation - Promo Console` },
];

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const [today, machines, copy] = await Promise.all([
    siteToday(),
    listAssignableMachines(),
    copyPromotion(new URL(args.request.url).searchParams.get("from")),
  ]);
  return json({
    today,
    copy,
    expiryExample: formatTypedDate(`${today.slice(0, 4)}-12-31`),
    choices: layOutChoices(machines, { selected: new Set(copy?.machines), search: "" }),
    once: randomUUID(),
    wasRefused: wasRefused(args.context),
  });
}

export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();
  const [today, machines] = await Promise.all([siteToday(), listAssignableMachines()]);
  const search = String(posted.get("machine_search") ?? "");
  const intent = String(posted.get("intent") ?? "");
  const selected = posted.getAll("machines").map(String);

  // A page with what was typed and, of the machines, what the pressed button makes of them.
  const refill = async (errors: FieldErrors, status: number, once = posted.get("_once")) => {
    if (status !== 200) markRefused(args.context);
    const answer = refillForm(errors, Object.fromEntries(posted), { status });
    const chosen = applySelectorIntent(intent, machines, { selected, search });
    const choices = layOutChoices(machines, { selected: chosen, search });
    return json(
      { ...(await answer.json()), choices, once: once ? String(once) : null },
      { status },
    );
  };

  if (intent !== createIntent) return refill({}, 200);
  const { data, error } = await singleFormValidator(today).validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  try {
    const idempotencyKey = String(posted.get("_once") ?? "") || null;
    const { requestId } = args.context;
    await createPromotion(data, { user: session.user, idempotencyKey, requestId });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const errors = Object.keys(cause.fields).length
      ? cause.fields
      : { [wholeFormError]: cause.message };
    // A conflict means that this form was sent before with other values: it gets a key of its own.
    const once = cause.reason === "conflict" ? randomUUID() : undefined;
    return refill(errors, statusOfReason[cause.reason], once);
  }
  return redirectWithMessage(session, paths.qrList, {
    kind: "success",
    text: "Promotion created successfully",
    hideAfterMs: 6_000,
  });
}

/** With scripts the page outlives a request that gets no answer, and so does what was typed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    const sentence = unansweredSentence(cause, "Error creating promotion");
    return { fieldErrors: { [wholeFormError]: sentence }, choices: null, once: null };
  }
}

export default function QrGeneration() {
  const { today, expiryExample, choices, once, copy } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  // One key for as long as the form is on the screen: a repeated attempt creates once.
  const [key] = useState(answer?.once ?? once);
  return (
    <Page title="QR Generation">
      {copy && <CopyNote {...copy} />}
      <SingleForm
        today={today}
        key={copy?.source?.code}
        values={copy?.values ?? null}
        expiryExample={expiryExample}
        choices={answer?.choices ?? choices}
        once={answer?.once ?? key}
      />
    </Page>
  );
}
