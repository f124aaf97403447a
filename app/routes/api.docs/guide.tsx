import {
  failedLookupLimits,
  maxFailedLookupsAtMachine,
} from "../../features/integrations/integration";
import { testMachineSerial } from "../../features/test-mode/test-code";
import { paths } from "../../paths";
import type { CallView } from "../_api-docs/calls.server";
import { ScreenLink, DocsTable, Example, FieldTable, Section } from "../_api-docs/docs-page";
import { exampleRedemptionId, redeemCurl } from "../_api-docs/redeem-curl";
import { exampleCode, exampleSerialNumber } from "../_api-docs/schema-fields";
import { javascriptClient, javascriptUse, pythonClient, rollbackCurl } from "./examples";
import { refusalRows } from "./refusals";
import { docsPaths } from "../_api-docs/docs-paths";

export const contents = {
  start: "Before you begin",
  values: "Prices, percent and dates",
  redeem: "Redeem a code",
  refusals: "Refusals and what to show",
  retries: "Retries and redemptionId",
  rollback: "Roll a failed vend back",
  limits: "Limits",
  errors: "Errors of all calls",
  programs: "A whole client",
};

type StartProps = { origin: string; isAdmin: boolean; hasApiKey: boolean };

export function Start({ origin, isAdmin, hasApiKey }: StartProps) {
  return (
    <Section of={contents} id="start">
      <p>
        The console is at <code>{origin}</code>. A machine, or the platform that speaks for it,
        redeems codes with the key of an integration: an admin creates one on{" "}
        <ScreenLink to={paths.integrations} canOpen={isAdmin}>
          Integrations
        </ScreenLink>
        , and it is shown once. Keys begin with <code>vqm_</code>. A key may be bound to one
        machine, and ends after the days that were chosen.
      </p>
      <p>
        Send it in each call as <code>Authorization: Bearer vqm_…</code>, never in an address.
        Bodies are JSON in UTF-8 with <code>Content-Type: application/json</code>; so are answers.
        The examples read the key from the environment variable <code>API_KEY</code>. A click
        selects all of an example.
      </p>
      <p>
        Try it first without spending a code: the key of test mode begins with <code>vqt_</code> and
        redeems test codes alone, at the machine <code>{testMachineSerial}</code>. Test codes are
        created in the test mode of an integration, or by <code>POST /api/test_codes</code>, also
        such as are refused for one reason. Calls and answers are the same, and no list or report of
        the site has them.
      </p>
      <p>
        All other calls are under <a href={docsPaths.calls}>All calls</a>, and in the{" "}
        <a href={paths.openApi}>OpenAPI document</a>. They also take your own API key from your{" "}
        <ScreenLink to={paths.apiKey} canOpen={hasApiKey}>
          profile
        </ScreenLink>
        , or an access token. Other systems learn of changes by{" "}
        <a href={docsPaths.webhooks}>events and webhooks</a>.
      </p>
    </Section>
  );
}

export function Values({ timeZone }: { timeZone: string }) {
  const rows = [
    [
      "Prices and discounts",
      "Whole cents: 250 is $2.50. A percentage is rounded half up to the cent; a free drink costs 0.",
    ],
    [
      "`savings`",
      "A percentage, not an amount: the part of the price that was saved, in whole percent. 63 cents off 250 are `savings` 25. The amount is `discount`, in cents.",
    ],
    [
      "`discount_value`",
      "Percent off, or the number of free drinks, as `discount_type` says. It is no price.",
    ],
    ["Times", "ISO 8601 in UTC, such as 2026-11-25T09:30:00.000Z."],
    [
      "Days",
      `YYYY-MM-DD in the time zone of the site, ${timeZone}. An expiration is the end of its day: 2027-12-31T23:59:59, without a zone.`,
    ],
    [
      "Codes",
      `12 characters, such as ${exampleCode}: letters and digits without 0, O, 1, I and L. Codes with a pattern or from an import have 8 to 32, any letters and digits. Answers have no dashes. When a code is redeemed, case, spaces and dashes don't matter, and the whole text of a QR code may be sent.`,
    ],
    ["Serial numbers", "Text of 1 to 100 characters, compared exactly."],
  ];
  return (
    <Section of={contents} id="values">
      <DocsTable head={["What", "How it is written"]} rows={rows} />
    </Section>
  );
}

export function Redeem({ origin, call }: { origin: string; call: CallView }) {
  return (
    <Section of={contents} id="redeem">
      <p>
        <code>POST /api/redemptions</code> checks a code, takes a use and records the redemption in
        one step. 201 means: vend, for <code>discountedPrice</code>. Anything else means: don't
        vend. Ask before each vend; nothing of an answer is good for a second one.
      </p>
      <Example
        id="redeem-curl"
        title="curl"
        code={redeemCurl(origin, {
          code: exampleCode,
          serialNumber: exampleSerialNumber,
          redemptionId: exampleRedemptionId,
        })}
      />
      <h3>Body</h3>
      <FieldTable fields={call.bodyFields} />
      <p>Other fields are an error, so that a misspelt one is noticed.</p>
      <Example title="Answer 201" code={call.result!} />
      <FieldTable fields={call.resultFields} />
      <p>
        <code>POST /api/redemptions/check</code> with the same body, but without{" "}
        <code>redemptionId</code>, answers what the redemption would, for a display that shows the
        price first: 200 with the discount, or the same refusals. It takes no use and promises none:
        redeem the code before you vend. Codes that don't exist count as failed lookups.
      </p>
    </Section>
  );
}

export function Refusals() {
  return (
    <Section of={contents} id="refusals">
      <p>
        A refusal is 422 with <code>reason</code>, the first of these that holds, and{" "}
        <code>error</code>, a sentence for people. Decide by <code>reason</code>: the sentences may
        change.
      </p>
      <Example
        title="Answer 422"
        code={JSON.stringify({ error: refusalRows[5]![1], reason: "used_up" }, null, 2)}
      />
      <DocsTable
        head={["Answer", "Sentence in the answer", "On the machine's display", "Cause"]}
        rows={refusalRows}
      />
      <p>
        409 with the reason <code>rolled_back</code>: this redemption was rolled back. Show "Please
        try again", and ask with a new <code>redemptionId</code>. The same with{" "}
        <code>archived</code>: the answer to this id is no longer kept. 422 with <code>fields</code>{" "}
        instead of a reason: the body is wrong, and nothing was decided.
      </p>
    </Section>
  );
}

export function Retries() {
  const rows = [
    [
      "No answer, 5xx",
      "Nobody knows whether it was done. Send exactly the same again, with the same `redemptionId`, after 0.5, 1, 2, 4, 8 … seconds; if there is `Retry-After`, not before.",
    ],
    ["429", "Nothing was decided, and the id is still free. Send the same after `Retry-After`."],
    ["201 to a repetition", "The first answer again. No second use was taken: vend once."],
    [
      "422 to a repetition",
      "The first refusal again, even if the code would be accepted by now. A new attempt of the customer needs a new id.",
    ],
    ["409 `rolled_back`", "It was rolled back. Don't vend."],
    [
      "409 `archived`",
      "The redemption id was used before, and its answer is no longer kept. Don't vend.",
    ],
    [
      "409 without a reason",
      "The id was used with another code, machine or price. Make a new id for each attempt.",
    ],
    ["400, 401, 403, 413, 415", "Nothing was decided. A repetition changes nothing: fix the call."],
  ];
  return (
    <Section of={contents} id="retries">
      <p>
        Make a new <code>redemptionId</code> for each attempt of a customer, store it before the
        first call, and repeat the call with it until there is a decision. An id has one effect and
        is remembered for good, for your integration alone.
      </p>
      <DocsTable head={["After", "Do"]} rows={rows} />
      <p>
        Wait 5 seconds for an answer. Go on as long as the customer waits, such as 30 seconds. Then
        don't vend, and <a href="#rollback">roll back</a> as soon as there is a connection: if the
        redemption got through, the customer gets the use back.
      </p>
    </Section>
  );
}

export function Rollback({ origin }: { origin: string }) {
  const rows = [
    ["200", "The use is given back. The transaction says `Rolled back` and no longer counts."],
    [
      "409 `rolled_back`",
      "It was rolled back before; `transaction` shows it. The answer to a repetition that has no or another `Idempotency-Key`; with the same key it is 200 again.",
    ],
    ["409 without a reason", "It was refused, so that nothing was used, or is too old."],
    [
      "404",
      "Your integration has no such redemption. Nothing was used, and nothing will be: if it arrives later, it gets 409 `rolled_back`, whichever key asked for the rollback. Or it is at another machine than the one that the key is bound to, and stays as it is.",
    ],
    ["429, 5xx, no answer", "Send the same again, with the same `Idempotency-Key`."],
  ];
  return (
    <Section of={contents} id="rollback">
      <p>
        If the machine could not vend, give the use back within 10 minutes, with a key of the same
        integration (and of the same machine, if the key is bound to one). The body is empty.
      </p>
      <Example id="rollback-curl" title="curl" code={rollbackCurl(origin)} />
      <DocsTable head={["Answer", "Meaning"]} rows={rows} />
    </Section>
  );
}

export function Limits() {
  return (
    <Section of={contents} id="limits">
      <p>
        Only unknown codes are counted, by the minute, against guessing: after{" "}
        {maxFailedLookupsAtMachine} of a key at one machine, that key waits at that machine; after{" "}
        {failedLookupLimits[0]} of a key, it waits everywhere. A key that waits gets 429 for all
        codes. An admin can raise the second limit. No integration slows another.
      </p>
      <DocsTable
        head={["Header of a 429", "Meaning"]}
        rows={[
          ["`Retry-After`", "Whole seconds until it is worth trying again."],
          ["`RateLimit-Policy`", 'The limit, such as `"failed-lookups";q=30;w=60`.'],
          ["`RateLimit`", 'What is left of it, and until when: `"failed-lookups";r=0;t=12`.'],
        ]}
      />
      <p>
        Keep one or a few connections open and reuse them. Too much at once is answered by 429 or
        503, with <code>Retry-After</code>.
      </p>
    </Section>
  );
}

export function Errors({ rows }: { rows: [status: string, meaning: string][] }) {
  return (
    <Section of={contents} id="errors">
      <p>
        Errors are <code>{'{"error": "A sentence.", "fields": {…}}'}</code>; <code>fields</code> has
        a message for each wrong field, by its name. Calls that create something take the header{" "}
        <code>Idempotency-Key</code>: sent again with the same key, they create once, and get the
        first answer for 24 hours.
      </p>
      <p>
        202 is no error: the site asks for a second admin before so many codes are created. Nothing
        was made yet, and the address in <code>Location</code> tells what was decided. Don't send
        the call again with another key.
      </p>
      <DocsTable head={["Status", "Meaning"]} rows={rows} />
    </Section>
  );
}

export function Programs({ origin }: { origin: string }) {
  return (
    <Section of={contents} id="programs">
      <p>
        Both do what this page says: they repeat what got no answer, and roll back what failed. The
        second file shows a sale at the machine {exampleSerialNumber}.
      </p>
      <Example id="client-js" title="JavaScript" code={javascriptClient(origin)} />
      <Example id="use-js" title="JavaScript, a sale" code={javascriptUse} />
      <Example id="client-py" title="Python" code={pythonClient(origin)} />
    </Section>
  );
}
