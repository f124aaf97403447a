import { testCalls, testCallValidator } from "../../features/test-mode/test-mode-forms";
import { testMachineSerial } from "../../features/test-mode/test-code";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { CopyButton } from "../../ui/form/copy-button";
import { useLastAdded } from "../../ui/form/last-added";
import { CardSection } from "../../ui/layout/detail";
import { Form, FormSubmit, RadioGroup, TextField } from "../../ui/validated-form/form";
import * as docs from "../_api-docs/docs.css";
import type { TestModeData } from "./route";

export const testModeIntents = { send: "send", create: "create" };

/** A call that was sent, as curl would send it, and its answer. */
export type Exchange = { request: string; status: number; answer: string };

export function ExchangeCard({ exchange: { request, status, answer } }: { exchange: Exchange }) {
  return (
    <CardSection title="Answer">
      <p>
        <strong>{`HTTP ${status}`}</strong>
      </p>
      <pre className={docs.code}>{answer}</pre>
      <h3>Request</h3>
      <p className={muted}>With a test key as API_KEY. This answer is not shown again.</p>
      <pre className={docs.code}>{request}</pre>
      <div>
        <CopyButton text={request} />
      </div>
    </CardSection>
  );
}

export function TryIt({ page: { id, codes, redemptionId } }: { page: TestModeData }) {
  return (
    <CardSection title="Try it">
      <p className={muted}>
        Sends a call with a test key, as a machine would, and shows request and answer. Create test
        keys for your own programs on{" "}
        <a href={`${paths.integration(id)}#new-key`}>the page of the integration</a>.
      </p>
      {/* A new test code is the next one to try. */}
      <Form
        key={useLastAdded(codes)}
        id="try-it"
        validator={testCallValidator}
        defaultValues={{
          call: "redeem",
          code: codes[0]?.code ?? "",
          machine: testMachineSerial,
          price: "250",
          redemption_id: redemptionId,
        }}
      >
        <RadioGroup name="call" legend="Call" options={testCalls} />
        <TextField name="code" label="Code" width="medium" list="test-codes" />
        <datalist id="test-codes">
          {codes.map(({ code, discount, purpose }) => (
            <option key={code} value={code}>{`${purpose}, ${discount}`}</option>
          ))}
        </datalist>
        <TextField name="machine" label="Serial number" width="medium" />
        <TextField name="price" label="Price in cents" width="short" inputMode="numeric" />
        <TextField
          name="redemption_id"
          label="Redemption ID"
          hint="The same ID again gets the first answer. A rollback names it."
        />
        <FormSubmit
          name="intent"
          value={testModeIntents.send}
          pendingLabel="Sending..."
          label="Send call"
        />
      </Form>
    </CardSection>
  );
}
