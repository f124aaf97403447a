// Without script: the same. After a session has ended, scripts show it with the fields of the form that was sent.
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodePage, ContinuePage, LoginPage, PasskeyPage } from "./login-page";
import type { Answer } from "./answers.server";
import type { action, loader } from "./route";

export default function Login() {
  const page = useLoaderData<typeof loader>();
  const answer: Answer = useActionData<typeof action>() ?? {};
  const { continueWith, passkeyRequest: request, isSecondStep = false, ...attempt } = answer;
  const { isLite } = page;
  const hasPasskeys = !isLite;
  if (continueWith) return <ContinuePage {...continueWith} />;
  if (request) return <PasskeyPage {...{ request, isLite, isSecondStep }} {...attempt} />;
  if (isSecondStep) return <CodePage {...{ hasPasskeys }} {...attempt} />;
  return <LoginPage {...page} {...{ hasPasskeys }} {...attempt} />;
}
