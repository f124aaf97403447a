/** What the two screens that create promotions have in common (core §5, rulings 3.7). */
import { randomUUID } from "node:crypto";
import { json, type ActionFunctionArgs } from "@remix-run/node";
import type { Validator } from "remix-validated-form";
import { DomainError, statusOfReason } from "../errors";
import { layOutPickers, noTargets, toParams } from "../features/assignments/target-lists";
import { listAssignableTargets } from "../features/assignments/targets.server";
import type { FormPrefill } from "../features/promotions/form/copy-promotion.server";
import type { CreateOptions } from "../features/promotions/form/create-promotion.server";
import { createIntent } from "../features/promotions/form/single-form";
import { siteToday } from "../features/promotions/site-day.server";
import { formatDateInput } from "../forms/typed-date";
import { refillForm, wholeFormError, type FieldErrors } from "../forms/validator";
import { redirectWithMessage } from "./messages.server";
import { markRefused, wasRefused } from "./refused.server";
import type { RouteArgs, Session } from "./sessions.server";

/**
 * What such a form shows at first.
 * @param copy what it is filled from: its machines and groups are ticked
 */
export async function loadPromotionForm({ context }: RouteArgs, copy: FormPrefill | null) {
  const [today, targets] = await Promise.all([siteToday(), listAssignableTargets()]);
  return {
    today,
    expiryExample: formatDateInput(`${today.slice(0, 4)}-12-31`),
    pickers: layOutPickers(targets, toParams(copy ?? noTargets)),
    once: randomUUID(),
    wasRefused: wasRefused(context),
  };
}

type Creating<Input> = {
  /** @param today YYYY-MM-DD in the site's zone */
  validator: (today: string) => Validator<Input>;
  /** @returns where to go, and what to say there */
  create: (input: Input, options: CreateOptions) => Promise<{ to: string; text: string }>;
};

/**
 * Creates and redirects; a form that can't be accepted, or whose machines were only searched or
 * selected, comes back as it was typed.
 */
export async function handlePromotionForm<Input>(
  { request, context }: ActionFunctionArgs,
  session: Session,
  { validator, create }: Creating<Input>,
): Promise<Response> {
  const posted = await request.formData();
  const [today, targets] = await Promise.all([siteToday(), listAssignableTargets()]);
  const intent = String(posted.get("intent") ?? "");

  const refill = async (
    errors: FieldErrors,
    status: number,
    once = posted.get("idempotency_key"),
  ) => {
    if (status !== 200) markRefused(context);
    const answer = refillForm(errors, Object.fromEntries(posted), { status });
    const pickers = layOutPickers(targets, posted);
    return json(
      { ...(await answer.json()), pickers, once: once ? String(once) : null },
      { status },
    );
  };

  if (intent !== createIntent) return refill({}, 200);
  const { data, error } = await validator(today).validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  try {
    const { to, text } = await create(data, {
      actor: session.actor,
      idempotencyKey: String(posted.get("idempotency_key") ?? "") || null,
    });
    return await redirectWithMessage(session, to, { kind: "success", text, hideAfterMs: 6_000 });
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
