import { randomUUID } from "node:crypto";
import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { DomainError } from "../errors";
import { checkIdempotencyKey } from "../features/activity/idempotency.server";
import type { Question } from "../forms/question";
import { pageSearch } from "../lists/list-params";
import { restoreIntent } from "../forms/validator";
import { type FormPost, notDoneMessage, readPost, rejectUnconfirmed } from "./form-action.server";
import { screenRoute, statusOf } from "./answers.server";
import { redirectWithMessage, type Message, type NewMessage } from "./messages.server";
import type { RouteArgs, Session } from "./sessions.server";

type Guard = (args: RouteArgs, options?: { canRestore?: boolean }) => Promise<Session>;

type ConfirmOutcome = { to: string } & Pick<Message, "text"> & Partial<Pick<Message, "kind">>;

/**
 * Builds the loader and action of a dialog that asks before one thing is done. The browser's half is
 * `ui/modal/confirm-dialog`.
 * @param run returns where to go next and the message there; a DomainError keeps the dialog open
 * @param asksPassword whether it asks for the password again, as forms do
 * @param gone what it comes to if the thing is not found, because somebody was faster, on the same page of a list; by
 *   default an error
 */
export function confirmRoute<Asked extends Question>({
  guard,
  ask,
  asksPassword = false,
  run,
  gone,
}: {
  guard: Guard;
  asksPassword?: boolean;
  ask: (args: LoaderFunctionArgs, session: Session) => Promise<Asked>;
  run: (post: FormPost) => Promise<ConfirmOutcome>;
  gone?: Pick<Message, "text"> & { to: string };
}) {
  return {
    loader: screenRoute(async (args: LoaderFunctionArgs) => {
      const session = await guard(args);
      const question = await ask(args, session);
      return json({
        ...question,
        idempotencyKey: randomUUID() as string,
        isPasswordAsked: asksPassword && question.verb !== null && !session.isPasswordRecent,
        wasRefused: args.context.wasRefused,
      });
    }),
    action: screenRoute(async (args: ActionFunctionArgs) => {
      const session = await guard(args);
      const post = await readPost(args, session);
      try {
        checkIdempotencyKey(post.options.idempotencyKey);
        const rejection = asksPassword ? await rejectPassword(post) : null;
        if (rejection) return rejection;
        const { to, ...message } = await run(post);
        return await redirectWithMessage(session, to, { kind: "success", ...message });
      } catch (cause) {
        if (!(cause instanceof DomainError)) throw cause;
        if (gone && cause.reason === "not_found") {
          const to = gone.to + pageSearch(new URL(args.request.url).searchParams);
          return redirectWithMessage(session, to, { kind: "info", text: gone.text });
        }
        args.context.wasRefused = true;
        return json({ error: cause.message }, statusOf(cause));
      }
    }),
  };
}

/** Returns the answer to a confirmation without the right password, where it is needed. */
async function rejectPassword(post: FormPost): Promise<Response | null> {
  const rejection = await rejectUnconfirmed(post);
  if (!rejection) return null;
  post.context.wasRefused = true;
  const { errors, status, headers = {} } = rejection;
  return json({ error: errors.password, isPasswordAsked: true }, { status, headers });
}

/**
 * Builds the loader and action of a button that acts without asking: a GET only redirects, a POST
 * acts and redirects with a message, also about a DomainError, and about a session that had ended.
 */
export function immediateRoute({
  guard,
  back,
  run,
}: {
  guard: Guard;
  /** Returns where to go; `cause` is set when the action failed, `posted` only after a POST. */
  back: (args: RouteArgs, more: { posted?: FormData; cause?: DomainError }) => string;
  run: (post: FormPost) => Promise<NewMessage>;
}) {
  return {
    loader: async (args: LoaderFunctionArgs) => {
      await guard(args);
      return redirect(back(args, {}));
    },
    action: async (args: ActionFunctionArgs) => {
      const session = await guard(args, { canRestore: true });
      const post = await readPost(args, session);
      const { posted, field } = post;
      if (field("intent") === restoreIntent)
        return redirectWithMessage(session, back(args, { posted }), {
          kind: "warning",
          text: notDoneMessage,
        });
      try {
        checkIdempotencyKey(post.options.idempotencyKey);
        const message = await run(post);
        return await redirectWithMessage(session, back(args, { posted }), message);
      } catch (cause) {
        if (!(cause instanceof DomainError)) throw cause;
        const to = back(args, { posted, cause });
        return redirectWithMessage(session, to, { kind: "error", text: cause.message });
      }
    },
  };
}
