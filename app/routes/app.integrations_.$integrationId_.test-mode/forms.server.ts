import type { ValidatorData } from "remix-validated-form";
import { environment } from "../../env.server";
import { withTestKey } from "../../features/integrations/new-keys.server";
import { createTestCode } from "../../features/test-mode/test-codes.server";
import { testCallValidator, testCodeValidator } from "../../features/test-mode/test-mode-forms";
import { formatCode } from "../../format/promotion";
import { checked, type FormPost } from "../../http/form-action.server";
import { answerCall, type RedemptionCall } from "../../http/redemption-calls.server";
import { paths } from "../../paths";
import { curlOf } from "../_api-docs/redeem-curl";
import { testModeIntents, type Exchange } from "./try-it";

const idOf = ({ params }: FormPost) => params.integrationId ?? "";

export const testModeForms = {
  [testModeIntents.create]: checked(testCodeValidator, async (input, post) => {
    const { code } = await createTestCode(input, post.options);
    return {
      to: paths.testMode(idOf(post)),
      text: `Test code ${formatCode(code)} successfully created`,
    };
  }),
  [testModeIntents.send]: checked(testCallValidator, async (input, post) => ({
    errors: {},
    status: 200,
    answer: { exchange: await send(input, post) },
  })),
};

type TestCall = ValidatorData<typeof testCallValidator>;
type CallRequest = { sent: RedemptionCall; path: string; body?: object };

/** Sends a call with a test key that exists for it alone, through the answers that machines get. */
async function send({ call, ...input }: TestCall, post: FormPost): Promise<Exchange> {
  const { code, machine: serialNumber, redemption_id: redemptionId } = input;
  const originalPrice = /^\d{1,15}$/.test(input.price) ? Number(input.price) : input.price;
  const common = { code, serialNumber, originalPrice };
  const requests: Record<TestCall["call"], CallRequest> = {
    redeem: {
      sent: { kind: "redeem" },
      path: "/api/redemptions",
      body: { ...common, redemptionId },
    },
    check: { sent: { kind: "check" }, path: "/api/redemptions/check", body: common },
    rollback: {
      sent: { kind: "roll back", redemptionId },
      path: `/api/redemptions/${encodeURIComponent(redemptionId)}/rollback`,
    },
  };
  const { sent, path, body } = requests[call];
  const answer = await withTestKey(idOf(post), post.session.actor, (secret) =>
    answerCall(sent, {
      secret,
      idempotencyKey: null,
      contentType: "application/json",
      body: Buffer.from(JSON.stringify(body ?? {})),
      withPlace: (work) => work(),
    }),
  );
  return {
    request: curlOf(environment().appOrigin, path, body),
    status: answer.status,
    answer: JSON.stringify("body" in answer ? answer.body : { error: answer.message }, null, 2),
  };
}
