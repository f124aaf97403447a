import { randomUUID } from "node:crypto";
import { json, type ActionFunctionArgs } from "@remix-run/node";
import type { Validator } from "remix-validated-form";
import { DomainError, statusOfReason } from "../errors";
import {
  formFields,
  idempotencyField,
  restoreIntent,
  wholeFormError,
  type FieldErrors,
} from "../forms/validator";
import { screenRoute } from "./answers.server";
import { redirectWithMessage, type Message } from "./messages.server";
import { markRefused, wasRefused } from "./refused.server";
import type { RouteArgs, Session } from "./sessions.server";

/** A posted form, with the session of the person who sent it. */
export type FormPost = ActionFunctionArgs & {
  session: Session;
  posted: FormData;
  /** Returns the first value of a field as text; '' if it was not posted. */
  field: (name: string) => string;
  /** What domain functions need: who acts, and the key that makes a repeated post run once. */
  options: { actor: Session["actor"]; idempotencyKey: string | null };
};

/** Keeps a form open: nothing was done. `answer` is added to what the page gets. */
export type Rejection = {
  errors: FieldErrors;
  status: number;
  headers?: HeadersInit;
  answer?: object;
};

type Redirect = { to: string; text: string } & Partial<Pick<Message, "kind" | "hideAfterMs">>;

/** Returns what every page with a form loads: a new idempotency key, and whether the form was refused. */
export function newForm({ context }: RouteArgs) {
  return { idempotencyKey: randomUUID() as string, wasRefused: wasRefused(context) };
}

/**
 * Builds the action of a form: guard, validate, run, redirect with a message. A form that is not
 * accepted, and one whose button only changes it, comes back as it was filled.
 * @param intent the value of the button that sends the form off; every other button only changes it.
 *   Without one, every post sends it, except for the one that restores it after signing in again.
 * @param run returns where to go and the message there; a DomainError becomes messages in the form
 * @param rerender returns more of what the page needs to show the form again
 * @param secrets fields that are never sent back
 */
export function formAction<Input>({
  guard,
  intent: sendIntent,
  validator,
  run,
  rerender = () => ({}),
  secrets = [],
}: {
  guard: (args: RouteArgs, options: { canRestore: true }) => Promise<Session>;
  intent?: string;
  validator: Validator<Input> | ((post: FormPost) => Validator<Input> | Promise<Validator<Input>>);
  run: (input: Input, post: FormPost) => Promise<Redirect | Rejection | Response>;
  rerender?: (post: FormPost) => object | Promise<object>;
  secrets?: readonly string[];
}) {
  return screenRoute(async (args: ActionFunctionArgs): Promise<Response> => {
    const session = await guard(args, { canRestore: true });
    const posted = await args.request.formData();
    const field = (name: string) => String(posted.get(name) ?? "");
    const idempotencyKey = field(idempotencyField) || null;
    const options = { actor: session.actor, idempotencyKey };
    const post = { ...args, session, posted, field, options };

    const rerenderForm = async ({ errors, status, headers, answer }: Rejection) => {
      if (status !== 200) markRefused(args.context);
      const isConflict = status === statusOfReason.conflict;
      const body = {
        ...formFields(errors, posted, secrets),
        // The key was used with other values: these are a new attempt.
        ...(idempotencyKey && { idempotencyKey: isConflict ? randomUUID() : idempotencyKey }),
        // After a conflict the form names the version that the page shows then.
        ...(posted.has("version") && { version: isConflict ? null : field("version") }),
        ...(await rerender(post)),
        ...answer,
      };
      return json(body, { status, ...(headers && { headers }) });
    };

    const isSent = sendIntent ? field("intent") === sendIntent : field("intent") !== restoreIntent;
    if (!isSent) return rerenderForm({ errors: {}, status: 200 });
    const checked = typeof validator === "function" ? await validator(post) : validator;
    const { data, error } = await checked.validate(posted);
    if (error) return rerenderForm({ errors: error.fieldErrors, status: 422 });
    try {
      const done = await run(data, post);
      if (done instanceof Response) return done;
      if ("errors" in done) return await rerenderForm(done);
      const { to, ...message } = done;
      return await redirectWithMessage(session, to, { kind: "success", ...message });
    } catch (cause) {
      if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
      const hasFields = Object.keys(cause.fields).length > 0;
      const errors = hasFields ? cause.fields : { [wholeFormError]: cause.message };
      return rerenderForm({ errors, status: statusOfReason[cause.reason] });
    }
  });
}
