// Without script: a section of the page with a plain form and a link.
import {
  Form,
  useActionData,
  useFetcher,
  useLoaderData,
  useLocation,
  useNavigation,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { pageMeta } from "../../forms/page-meta";
import { catchNetworkErrors } from "../../forms/network-errors";
import type { Question } from "../../forms/question";
import { FailureNote } from "../feedback/message-block";
import { ButtonLink, SubmitButton } from "../form/button";
import { InputField, usePasswordAgain } from "../form/field";
import { medium } from "../form/form.css";
import { IdempotencyKey } from "../form/idempotency-key";
import { actions } from "../layout/layout.css";
import {
  DialogActions,
  DialogCancel,
  DialogRoute,
  type DialogProps,
} from "../overlay/dialog-route";
import * as css from "../overlay/overlay.css";

/** The `meta` of a confirmation route. */
export const meta = pageMeta<Question>((question) => question?.title);

/** The `clientAction` of a confirmation route: the dialog stays open when the request fails. */
export const clientAction = catchNetworkErrors("");

/** The component of a confirmation route whose consequences are plain paragraphs. */
export function ConfirmRoute() {
  const { consequences, isDangerous } = useLoaderData<Question>();
  return (
    <ConfirmDialog role={isDangerous ? "alertdialog" : "dialog"}>
      {consequences.map((paragraph) => (
        <p key={paragraph}>{withCodes(paragraph)}</p>
      ))}
    </ConfirmDialog>
  );
}

/** Returns a text whose codes can be compared letter by letter, and don't break at their hyphens where a line has room. */
function withCodes(text: string): ReactNode[] {
  return text
    .split(/(\b[0-9A-Z]{4}(?:-[0-9A-Z]{4})*-[0-9A-Z]{1,4}\b)/)
    .map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}

/**
 * A dialog that asks the question of its loader and posts to its own address. It stays open, and says
 * why, when that fails.
 */
export function ConfirmDialog({
  role,
  fields,
  children,
}: Pick<DialogProps, "role" | "children"> & { fields?: ReactNode }) {
  const question = useLoaderData<Question & { isPasswordAsked?: boolean }>();
  const answer = useActionData<{ error: string; isPasswordAsked?: boolean }>();
  const { pathname, search } = useLocation();
  const isPending = useNavigation().formAction?.startsWith(pathname) ?? false;
  const passwordAgain = usePasswordAgain();
  const { title, verb, pendingVerb, isDangerous, returnFocusTo, failure } = question;
  const description = "dialog-description";
  const closeTo = `${question.closeTo}${search}`;
  return (
    <DialogRoute
      title={title}
      closeTo={closeTo}
      {...(returnFocusTo && { returnFocusTo })}
      describedBy={description}
      {...(role && { role })}
    >
      <div id={description} className={css.description}>
        {question.question && <p className={css.question}>{question.question}</p>}
        {children}
      </div>
      {question.alternative && <Alternative {...question.alternative} search={search} />}
      <Form method="post" replace preventScrollReset>
        <IdempotencyKey />
        <FailureNote isPending={isPending}>{answer && (answer.error || failure)}</FailureNote>
        {fields}
        {(question.isPasswordAsked || answer?.isPasswordAsked) && (
          <InputField
            {...passwordAgain}
            error={answer?.isPasswordAsked ? answer.error : null}
            className={medium}
          />
        )}
        <DialogActions>
          {verb && (
            <SubmitButton
              isPending={isPending}
              pendingLabel={pendingVerb}
              {...(isDangerous && { variant: "danger" })}
            >
              {verb}
            </SubmitButton>
          )}
          <DialogCancel to={closeTo}>{verb ? (question.cancel ?? "Cancel") : "Close"}</DialogCancel>
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}

/** Posts or leads to what can be done instead, and from there back to the same list. */
function Alternative({
  text,
  button,
  link,
  search,
}: NonNullable<Question["alternative"]> & { search: string }) {
  const fetcher = useFetcher<{ error?: string }>();
  const isPending = fetcher.state !== "idle";
  return (
    <div className={css.description}>
      <p>{text}</p>
      <FailureNote isPending={isPending}>{fetcher.data?.error}</FailureNote>
      <div className={actions}>
        <fetcher.Form method="post" action={`${button.action}${search}`}>
          <IdempotencyKey suffix="alternative" />
          <SubmitButton variant="default" isPending={isPending} pendingLabel={button.pendingLabel}>
            {button.label}
          </SubmitButton>
        </fetcher.Form>
        <ButtonLink to={`${link.to}${search.replace("?", "&")}`}>{link.label}</ButtonLink>
      </div>
    </div>
  );
}
