// Without script: the same; a form comes back filled, with the answer above it.
import { randomUUID } from "node:crypto";
import type { SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { getIntegration } from "../../features/integrations/integrations.server";
import { FocusedAnswer } from "../../features/sign-in/focused-answer";
import { siteFormat } from "../../features/settings/settings.server";
import { toTestAttemptView, toTestCodeView } from "../../features/test-mode/test-code";
import { listTestAttempts, listTestCodes } from "../../features/test-mode/test-codes.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formLoader, formsAction } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { useLastAdded } from "../../ui/form/last-added";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { testModeForms } from "./forms.server";
import { NewTestCode, TestAttempts, TestCodes } from "./test-codes";
import { ExchangeCard, TryIt, type Exchange } from "./try-it";

export type TestModeData = SerializeFrom<typeof loader>;

export const meta = pageMeta<TestModeData>((page) => page && `Test mode: ${page.name}`);

export const handle = {
  nameOf: ({ name }: TestModeData) => name,
};

export const loader = formLoader(requireAdmin, async ({ params }) => {
  const { id, name } = await getIntegration(params.integrationId ?? "");
  const [codes, attempts] = await Promise.all([listTestCodes(), listTestAttempts(id)]);
  const site = siteFormat();
  return {
    id,
    name,
    codes: codes.map((code) => toTestCodeView(code, site)),
    attempts: attempts.map((attempt) => toTestAttemptView(attempt, site)),
    redemptionId: randomUUID() as string,
  };
});

export const action = formsAction({ guard: requireAdmin, forms: testModeForms });

export const clientAction = rerenderForm("Error in test mode");

export default function TestMode() {
  const page = useLoaderData<typeof loader>();
  const exchange = useActionData<{ exchange?: Exchange }>()?.exchange;
  return (
    <Page title={`Test mode: ${page.name}`}>
      <div className={parts}>
        {exchange && (
          <FocusedAnswer label={`Answer: HTTP ${exchange.status}`} answer={exchange}>
            <ExchangeCard exchange={exchange} />
          </FocusedAnswer>
        )}
        <div className={`${formCard} ${parts}`}>
          {page.codes.length > 0 && <TryIt page={page} />}
          <NewTestCode key={useLastAdded(page.codes)} />
        </div>
        <TestCodes codes={page.codes} />
        <TestAttempts attempts={page.attempts} />
      </div>
    </Page>
  );
}
