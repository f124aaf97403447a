import {
  testPurposes,
  type TestAttemptView,
  type TestCodeView,
} from "../../features/test-mode/test-code";
import { testCodeValidator } from "../../features/test-mode/test-mode-forms";
import { discountTypeLabels } from "../../format/promotion";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { TableOrNote } from "../../ui/table/table-or-note";
import { Checkbox, Form, FormSubmit, RadioGroup, TextField } from "../../ui/validated-form/form";
import { testModeIntents } from "./try-it";

export function NewTestCode() {
  return (
    <CardSection title="New test code">
      <Form
        id="new-test-code"
        validator={testCodeValidator}
        defaultValues={{
          discount_type: "percentage",
          discount_value: "25",
          is_single_use: true,
          purpose: "redeemable",
        }}
      >
        <IdempotencyKey />
        <RadioGroup name="discount_type" legend="Discount type" options={discountTypeLabels} />
        <TextField
          name="discount_value"
          label="Percent or number of drinks"
          width="short"
          inputMode="numeric"
        />
        <Checkbox name="is_single_use" label="One-time use" />
        <RadioGroup name="purpose" legend="Purpose" options={testPurposes} />
        <FormSubmit
          name="intent"
          value={testModeIntents.create}
          variant="default"
          pendingLabel="Creating..."
          label="Create test code"
        />
      </Form>
    </CardSection>
  );
}

export function TestCodes({ codes }: { codes: readonly TestCodeView[] }) {
  return (
    <TableOrNote
      title="Test codes"
      empty={{
        title: "No test codes yet",
        reason:
          "A test code is redeemed by test keys alone, at the test machine, and is in no other list, count or report. Once there is one, it can be tried here.",
      }}
      rows={codes}
      columns={[
        { heading: "Code", isRowHeader: true, cell: ({ code }) => <code>{code}</code> },
        { heading: "Purpose", cell: ({ purpose }) => purpose },
        { heading: "Discount", cell: ({ discount }) => discount },
        { heading: "Uses", cell: ({ uses }) => uses },
        { heading: "Created", cell: ({ created }) => created },
      ]}
    />
  );
}

export function TestAttempts({ attempts }: { attempts: readonly TestAttemptView[] }) {
  return (
    <TableOrNote
      title="Latest calls"
      empty={{ title: "No calls yet", reason: "Redemptions with test keys are listed here." }}
      rows={attempts}
      columns={[
        { heading: "Time", isRowHeader: true, cell: ({ occurred }) => occurred },
        { heading: "Code", cell: ({ code }) => <code>{code}</code> },
        { heading: "Price", isNumber: true, cell: ({ price }) => price },
        { heading: "Result", cell: ({ result }) => result },
      ]}
    />
  );
}
