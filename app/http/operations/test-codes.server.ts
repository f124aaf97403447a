/** Test codes, which test keys alone redeem. */
import * as z from "zod/mini";
import { bodyErrors, sentFields } from "../../features/promotions/promotion-api";
import { testPurposes, type TestPurpose } from "../../features/test-mode/test-code";
import { createTestCode, listTestCodes } from "../../features/test-mode/test-codes.server";
import { newTestCode } from "../../features/test-mode/test-mode-forms";
import { choice } from "../../forms/fields";
import { parseFields } from "../../forms/form-validator";
import { operation } from "../api.server";
import { testCodeAnswer } from "./schemas";

const purposes = Object.keys(testPurposes) as TestPurpose[];
const { discount_type, discount_value, is_single_use } = sentFields;

export const testCodeOperations = [
  operation({
    method: "GET",
    path: "/api/test_codes",
    summary: "List test codes",
    scope: "read",
    hasWholeCodes: true,
    answers: { 200: "The newest test codes, at most 100." },
    result: z.array(testCodeAnswer.schema),
    run: async () => (await listTestCodes(100)).map(testCodeAnswer.of),
  }),
  operation({
    method: "POST",
    path: "/api/test_codes",
    summary: "Create a test code",
    scope: "promotions",
    isIdempotent: true,
    body: z.strictObject({
      discount_type,
      discount_value,
      is_single_use,
      purpose: z._default(
        choice(purposes, `Purpose must be one of: ${purposes.join(", ")}`),
        "redeemable",
      ),
    }),
    rules: (sent) => bodyErrors(newTestCode, sent, "discount_value"),
    answers: {
      201: "The new test code.",
      409: "The `Idempotency-Key` was used for something else.",
    },
    result: testCodeAnswer.schema,
    run: async ({ body, options }) =>
      testCodeAnswer.of(await createTestCode(parseFields(newTestCode, body), options)),
  }),
];
