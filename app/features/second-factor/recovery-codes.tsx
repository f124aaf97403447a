// Without script: the same.
import { MessageBlock } from "../../ui/feedback/message-block";
import { CardSection } from "../../ui/layout/detail";
import { columns, formCard } from "../../ui/layout/layout.css";

/** Shown once, in the answer to the form that made them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className={formCard}>
      <CardSection title="Your recovery codes">
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
      </CardSection>
    </div>
  );
}
