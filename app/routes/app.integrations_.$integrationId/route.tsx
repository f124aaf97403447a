import {
  json,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  Outlet,
  useActionData,
  useLoaderData,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { actionOrSignIn, networkErrorMessage } from "../../forms/network-errors";
import { wholeFormError } from "../../forms/validator";
import { screenRoute } from "../../http/answers.server";
import { retryAfterHeaders } from "../../http/confirmed-password.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { answerKeyForm } from "./key-action.server";
import { KeyForm } from "./key-form";
import { KeyTable } from "./key-table";
import { NewSecret } from "./new-secret";
import { readIntegrationPage } from "./page.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.wasRefused ? "Error: " : ""}${data?.name ?? "Integration"} - Integrations - Promo Console`,
  },
];

export const headers: HeadersFunction = (args) => retryAfterHeaders(args);

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const session = await requireAdmin(args);
  return json(await readIntegrationPage(args, session));
});

/** Makes a key. Its secret is in this one answer and never in an address or a message. */
export const action = screenRoute(async (args) => {
  const session = await requireAdmin(args, { canRestore: true });
  return answerKeyForm(args, session);
});

/** With scripts the page outlives a request that gets no answer, and so does what was typed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    const sentence = networkErrorMessage(cause, "Error creating key");
    return { fieldErrors: { [wholeFormError]: sentence } };
  }
}

export default function IntegrationPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<{ secret?: string }>();
  return (
    <Page
      title={page.name}
      actions={
        <ButtonLink to={paths.transactionsOfIntegration(page.id)} icon="receipt">
          Transactions
        </ButtonLink>
      }
    >
      <Outlet />
      {answer?.secret && <NewSecret key={answer.secret} secret={answer.secret} />}
      <KeyTable page={page} />
      <KeyForm page={page} />
    </Page>
  );
}
