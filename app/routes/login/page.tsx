// Without script: the same. After a session has ended, scripts show it with the fields of the form that was sent.
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodePage, ContinuePage, LoginPage } from "./login-page";
import type { Answer, action, loader } from "./route";

export default function Login() {
  const { greeting, notice, canSignUp } = useLoaderData<typeof loader>();
  const { continueWith, isCodeAsked, ...attempt }: Answer = useActionData<typeof action>() ?? {};
  if (continueWith) return <ContinuePage {...continueWith} />;
  if (isCodeAsked) return <CodePage {...attempt} />;
  return <LoginPage {...{ greeting, notice, canSignUp }} {...attempt} />;
}
