import type { ClientActionFunctionArgs } from "@remix-run/react";
import { postAsDocument } from "../remix/document-form";

export const noAnswerMessage =
  "No answer from the server. What you entered is kept, and trying again is safe.";

/** Statuses of requests that are rejected by their size, sender, number or form before a route reads them. */
const earlyRejections = [400, 401, 413, 415, 429];

export function isEarlyRejection({ status }: Response): boolean {
  return earlyRejections.includes(status);
}

/**
 * Returns the message about a request that got no proper answer. The page stays with its fields.
 * @param fallback the message for an answer that has none
 * @param noAnswer the message where there is no answer
 * @throws the cause itself if it is the proper answer of a route: a redirect, a rejection
 */
export async function networkErrorMessage(
  cause: unknown,
  fallback: string,
  noAnswer = noAnswerMessage,
): Promise<string> {
  if (cause instanceof Response && isEarlyRejection(cause)) return cause.text();
  if (cause instanceof Response && cause.status < 500) throw cause;
  // fetch() rejects with a TypeError when nobody answers.
  return cause instanceof TypeError ? noAnswer : fallback;
}

/**
 * Builds a `clientAction` that keeps the page open when the request fails, and returns why.
 * @param fallback the message where the server gave no reason; '' leaves it to the component
 * @param noAnswer the message where the server gave no answer
 */
export function catchNetworkErrors(
  fallback: string,
  noAnswer: () => string = () => noAnswerMessage,
) {
  return async ({ request, serverAction }: ClientActionFunctionArgs) => {
    try {
      return await actionOrSignIn(request, () => serverAction<{ error: string }>());
    } catch (cause) {
      return { error: await networkErrorMessage(cause, fallback, noAnswer()) };
    }
  };
}

/**
 * Runs the server's action for a form that must never be lost. If the session has ended, the answer
 * is the sign-in page instead of data; then the form is posted again as a document, so that the
 * sign-in page is shown and keeps its fields.
 */
export async function actionOrSignIn<Answer>(
  request: Request,
  serverAction: () => Promise<Answer>,
): Promise<Answer> {
  const fields = await request.clone().formData();
  const answer = await serverAction();
  if (typeof answer !== "string") return answer;
  postAsDocument({ formAction: request.url, formData: fields });
  return new Promise(() => {});
}
