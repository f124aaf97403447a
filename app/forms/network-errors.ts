import type { ClientActionFunctionArgs } from "@remix-run/react";

/**
 * What to say, in the browser, about a request that was not answered as it should be (core §8). The
 * page stays, and what was typed with it.
 * @param fallback for an answer that has no sentence of its own
 * @throws the cause itself when it is an answer after all: a redirect, a refusal
 */
export function networkErrorMessage(cause: unknown, fallback: string): string {
  if (cause instanceof Response && cause.status < 500) throw cause;
  // fetch() rejects with a TypeError when nobody answers.
  if (!(cause instanceof TypeError)) return fallback;
  const port = location.port || (location.protocol === "https:" ? "443" : "80");
  return `Server is not available. Please check if server is running on port ${port}.`;
}

/**
 * Builds a `clientAction` that keeps the page open when the request fails, and returns why.
 * @param fallback the message where the server gave no reason; '' leaves it to the component
 */
export function keepPage(fallback: string) {
  return async ({ serverAction }: ClientActionFunctionArgs) => {
    try {
      return await serverAction<{ error: string }>();
    } catch (cause) {
      return { error: networkErrorMessage(cause, fallback) };
    }
  };
}

/**
 * Runs the server's action for a form that must never be lost. A page instead of data is the
 * sign-in page: the session has ended. Then the form is posted once more as a document, so that
 * the sign-in page is shown and keeps its fields (rulings 2.2).
 */
export async function actionOrSignIn<Answer>(
  request: Request,
  serverAction: () => Promise<Answer>,
): Promise<Answer> {
  const fields = await request.clone().formData();
  const answer = await serverAction();
  if (typeof answer !== "string") return answer;
  const form = document.createElement("form");
  form.method = "post";
  form.hidden = true;
  for (const [name, value] of fields) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = String(value);
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  return new Promise(() => {});
}
