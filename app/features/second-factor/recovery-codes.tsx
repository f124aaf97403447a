// Without script: the same.
import { MessageBlock } from "../../ui/feedback/message-block";
import { FormCard } from "../../ui/layout/detail";
import { columns } from "../../ui/layout/layout.css";
import { FocusedAnswer } from "../sign-in/focused-answer";

/** Shown once, in the answer to the form that made them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <FocusedAnswer label="Your recovery codes" answer={codes}>
      <FormCard title="Your recovery codes">
        <MessageBlock kind="warning">
          Save these codes now. They are not shown again. Each signs you in once when you don&apos;t
          have your phone.
        </MessageBlock>
        <ul className={columns}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </FormCard>
    </FocusedAnswer>
  );
}
