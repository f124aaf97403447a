import { randomUUID } from "node:crypto";
import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import type { Validator } from "remix-validated-form";
import { DomainError, HeldForApproval, statusOfReason } from "../errors";
import {
  formIdField,
  idempotencyField,
  restoreIntent,
  wholeFormError,
  type FieldErrors,
} from "../forms/validator";
import { formFields } from "./form-fields.server";
import { describeFirstAttempt } from "./first-attempt.server";
import { screenLoader, screenRoute, statusOf } from "./answers.server";
import { redirectWithMessage, type Message } from "./messages.server";
import type { RouteArgs, Session } from "./sessions.server";
import { askForApproval } from "../features/approvals/approvals.server";
import { paths } from "../paths";
import { checkIdempotencyKey } from "../features/activity/idempotency.server";
import { SignInRejected } from "../features/sign-in/sign-in.server";
import { checkPasswordAgain } from "../features/sign-in/sessions.server";

/** For areas that import no feature: what their forms and calls create is created once for each key of its sender. */
export { runOnce } from "../features/activity/idempotency.server";

/** A posted form, with the session of the person who sent it. */
export type FormPost = ActionFunctionArgs & {
  session: Session;
  posted: FormData;
  /** Returns the first value of a field as text; '' if it was not posted. */
  field: (name: string) => string;
  /** Options of domain functions: the actor, and the key that makes a repeated post run once. */
  options: { actor: Session["actor"]; idempotencyKey: string | null };
};

export async function readPost(args: ActionFunctionArgs, session: Session): Promise<FormPost> {
  const posted = await args.request.formData();
  const field = (name: string) => String(posted.get(name) ?? "");
  const idempotencyKey = field(idempotencyField) || null;
  return { ...args, session, posted, field, options: { actor: session.actor, idempotencyKey } };
}

/** Keeps a form open: nothing was done. `answer` is added to what the page gets. */
type Rejection = {
  errors: FieldErrors;
  status: number;
  headers?: HeadersInit;
  answer?: object;
};

type Redirect = { to: string; text: string } & Partial<
  Pick<Message, "kind" | "hideAfterMs" | "undoPath">
>;

/**
 * Returns what the forms of a page need: `IdempotencyKey`, `PasswordAgain`, the title of a page that was refused, and
 * the reason where it was a button without fields.
 */
export function newForm({ context }: RouteArgs, { isPasswordRecent }: Session) {
  const { notices = [], wasRefused } = context;
  // A page and a dialog over it load both: the first one shows them.
  delete context.notices;
  return {
    idempotencyKey: randomUUID() as string,
    isPasswordAsked: !isPasswordRecent,
    wasRefused,
    ...(notices.length > 0 && { notices }),
  };
}

/** Builds the loader of a page with forms, which adds what they need. */
export function formLoader<Result extends object>(
  guard: (args: RouteArgs) => Promise<Session>,
  load: (args: LoaderFunctionArgs, session: Session) => Promise<Result>,
) {
  return screenLoader(guard, async (args, session) => ({
    ...(await load(args, session)),
    ...newForm(args, session),
  }));
}

/** Returns another key for the same form: it ends as the one before, with the suffix of `IdempotencyKey`. */
export const newKey = (key: string | null) => randomUUID() + (key?.slice(36) ?? "");

type Outcome = Redirect | Rejection | Response;
export type Attempt = (post: FormPost) => Promise<Outcome>;

type Checked<Input> = {
  validator: Validator<Input> | ((post: FormPost) => Validator<Input> | Promise<Validator<Input>>);
  /** Returns where to go and the message there; a DomainError becomes messages in the form. */
  run: (input: Input, post: FormPost) => Promise<Outcome>;
};

type FormOptions = {
  guard: (args: RouteArgs, options: { canRestore: true }) => Promise<Session>;
  /** Returns more of what the page needs to show the form again. */
  rerender?: (post: FormPost) => object | Promise<object>;
  /** Fields that are never sent back, besides the password. */
  secrets?: readonly string[];
};

/**
 * Builds the action of a form: guard, validate, run, redirect with a message. A form that is not
 * accepted, and one whose button only changes it, comes back as it was filled.
 * @param intent the value of the button that sends the form off; every other button only changes it.
 *   Without one, every post sends it, except for the one that restores it after signing in again.
 */
export function formAction<Input>({
  intent,
  validator,
  run,
  ...options
}: FormOptions & Checked<Input> & { intent?: string }) {
  const attempt = checked(validator, run);
  return handleAction(options, (sent) =>
    (intent ? sent === intent : sent !== restoreIntent) ? attempt : undefined,
  );
}

/** @param forms what each value of a button does; every other button only changes a form */
export function formsAction({
  forms,
  ...options
}: FormOptions & { forms: Record<string, Attempt> }) {
  return handleAction(options, (sent) => (Object.hasOwn(forms, sent) ? forms[sent] : undefined));
}

/** Runs a form's post only with valid input. */
export function checked<Input>(
  validator: Checked<Input>["validator"],
  run: Checked<Input>["run"],
): Attempt {
  return async (post) => {
    const current = typeof validator === "function" ? await validator(post) : validator;
    const { data, error } = await current.validate(post.posted);
    return error ? { errors: error.fieldErrors, status: 422 } : run(data, post);
  };
}

/**
 * Runs a button about a record of its page, and leads back with a message if the record is not found, because somebody was
 * faster, perhaps in another tab.
 */
export function orGone(gone: Pick<Redirect, "to" | "text">, attempt: Attempt): Attempt {
  return async (post) => {
    try {
      return await attempt(post);
    } catch (cause) {
      if (!(cause instanceof DomainError) || cause.reason !== "not_found") throw cause;
      return { ...gone, kind: "info" };
    }
  };
}

function handleAction(
  { guard, rerender = () => ({}), secrets = [] }: FormOptions,
  attemptFor: (intent: string) => Attempt | undefined,
) {
  return screenRoute(async (args: ActionFunctionArgs): Promise<Response> => {
    const post = await readPost(args, await guard(args, { canRestore: true }));
    const { session, posted, field, options } = post;
    const { idempotencyKey } = options;

    const outcome = await runAction(attemptFor(field("intent")), post);
    if (outcome instanceof Response) return outcome;
    if ("to" in outcome) {
      const { to, ...message } = outcome;
      return redirectWithMessage(session, to, { kind: "success", ...message });
    }
    const { errors, status, headers, answer } = outcome;
    if (status !== 200) args.context.wasRefused = true;
    const isForm = posted.has(formIdField);
    if (field("intent") === restoreIntent)
      args.context.notices = toNotices("warning", [isForm ? sendAgainMessage : notDoneMessage]);
    else if (!isForm) args.context.notices = toNotices("error", Object.values(errors));
    const lostFiles =
      status !== 200 && args.context.isDocument ? filesToChooseAgain(posted, errors) : {};
    const isConflict = status === statusOfReason.conflict;
    const body = {
      // The form library gives an answer without an id to every form of the page.
      formId: noForm,
      ...formFields({ ...errors, ...lostFiles }, posted, [passwordField, ...secrets]),
      // The key was used with other values: these are a new attempt.
      ...(idempotencyKey && {
        idempotencyKey: isConflict ? newKey(idempotencyKey) : idempotencyKey,
      }),
      // After a conflict the form names the version that the page shows then.
      ...(posted.has("version") && { version: isConflict ? null : field("version") }),
      ...(await rerender(post)),
      ...answer,
    };
    return json(body, { status, ...(headers && { headers }) });
  });
}

function toNotices(kind: Message["kind"], texts: readonly string[]): Message[] {
  return texts.map((text, index) => {
    return { id: `notice-${index}`, kind, text, hideAfterMs: 4_000, undoPath: null };
  });
}

async function runAction(attempt: Attempt | undefined, post: FormPost): Promise<Outcome> {
  try {
    checkIdempotencyKey(post.options.idempotencyKey);
    return (await attempt?.(post)) ?? { errors: {}, status: 200 };
  } catch (cause) {
    if (cause instanceof HeldForApproval) {
      const id = await askForApproval(cause.held, post.session.actor);
      return { to: paths.approval(id), kind: "info", text: "This waits for a second admin" };
    }
    if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
    const hasFields = Object.keys(cause.fields).length > 0;
    const errors = hasFields ? cause.fields : { [wholeFormError]: cause.message };
    const answer = await describeFirstAttempt(cause, post.session.user);
    return { errors, answer, ...statusOf(cause) };
  }
}

/**
 * Answers with what is shown in this one answer and never in an address or a message. The form stays on the screen:
 * its next post is another attempt.
 * @param leftMessage says what to do, to those who left the page before the answer
 */
export function showOnce(answer: object, leftMessage: string): Response {
  return json({ ...answer, leftMessage, idempotencyKey: randomUUID() });
}

/** Says of each chosen file without an error that it has to be chosen again: no document can fill in a file. */
function filesToChooseAgain(posted: FormData, errors: FieldErrors): FieldErrors {
  const files = [...posted].filter(
    ([name, value]) => value instanceof File && value.size > 0 && !(name in errors),
  );
  return Object.fromEntries(files.map(([name]) => [name, chooseAgainMessage]));
}

export const chooseAgainMessage = "Choose the file again";

/** Answers a button that was pressed after the session had ended. */
export const notDoneMessage = "You were signed out, so nothing was done. Press the button again.";

/** Answers a form with fields that was sent after the session had ended. */
const sendAgainMessage =
  "You were signed out, so nothing was done. Check what you entered, and send it again.";

/** The id in the answer to a button without fields: no form of the page has it. */
const noForm = "none";

const passwordField = "password";

/**
 * Rejects a form unless the password was checked recently or is right. It is a field of the same
 * form, so that it works without scripts, and is read only where it has to be.
 * @throws DomainError unavailable: too many are signing in
 */
export async function rejectUnconfirmed({
  context,
  session,
  field,
}: Pick<FormPost, "context" | "session" | "field">): Promise<Rejection | null> {
  if (session.isPasswordRecent) return null;
  const password = field(passwordField);
  if (password === "")
    return rejectPassword(passwordField, "Enter your password to confirm this action", 403);
  return rejectWrongPassword(passwordField, () =>
    checkPasswordAgain(session, password, context.clientAddress),
  );
}

/** Runs a form's post only with the password confirmed, as `rejectUnconfirmed` says. */
export function confirmed<Args extends [FormPost] | [unknown, FormPost]>(
  run: (...args: Args) => Promise<Outcome>,
) {
  return async (...args: Args): Promise<Outcome> =>
    (await rejectUnconfirmed(args.at(-1) as FormPost)) ?? run(...args);
}

/**
 * Runs what checks a password, and rejects the form if it was wrong or tried too often.
 * @param field the field of the password
 */
export async function rejectWrongPassword(
  field: string,
  check: () => Promise<unknown>,
): Promise<Rejection | null> {
  try {
    await check();
    return null;
  } catch (cause) {
    if (!(cause instanceof SignInRejected)) throw cause;
    const seconds = cause.retryAfterSeconds;
    if (seconds === 0) return rejectPassword(field, "The password is wrong", 403);
    return rejectPassword(field, cause.message, 429, { "Retry-After": String(seconds) });
  }
}

function rejectPassword(field: string, message: string, status: number, headers = {}): Rejection {
  return { errors: { [field]: message }, status, headers };
}
