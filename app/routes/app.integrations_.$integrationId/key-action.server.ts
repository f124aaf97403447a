import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, statusOfReason } from "../../errors";
import { keyValidator } from "../../features/integrations/integration-forms";
import { createKey } from "../../features/integrations/integrations.server";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { passwordField, refuseUnconfirmed } from "../../http/confirmed-password.server";
import { markRefused } from "../../http/refused.server";
import type { Session } from "../../http/sessions.server";

/**
 * Makes a key and answers with its secret, which is shown this once: nothing is redirected, and a
 * form that is sent again makes no second key.
 */
export async function answerKeyForm(args: ActionFunctionArgs, session: Session): Promise<Response> {
  const posted = await args.request.formData();
  const refill = (errors: FieldErrors, status: number, headers?: HeadersInit) => {
    if (status !== 200) markRefused(args.context);
    const answer = refillForm(errors, Object.fromEntries(posted), {
      status,
      secrets: [passwordField],
    });
    for (const [name, value] of new Headers(headers)) answer.headers.set(name, value);
    return answer;
  };

  if (posted.get("intent") === "restore") return refill({}, 200);
  const { data, error } = await keyValidator.validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  try {
    const refusal = await refuseUnconfirmed(args, session, posted);
    if (refusal)
      return refill({ [passwordField]: refusal.sentence }, refusal.status, refusal.headers);
    const { secret } = await createKey(args.params.integrationId ?? "", data, {
      actor: session.actor,
      idempotencyKey: String(posted.get("_once") ?? "") || null,
    });
    return json({ secret });
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
    const { machineSerial, ...fields } = cause.fields;
    const errors = { ...fields, ...(machineSerial && { machine: machineSerial }) };
    return refill(
      Object.keys(errors).length > 0 ? errors : { [wholeFormError]: cause.message },
      statusOfReason[cause.reason],
    );
  }
}
