// Without script: a field with the secret, to select and copy.
import { MessageBlock } from "../../ui/feedback/message-block";
import { SecretField } from "../sign-in/secret-field";
import { parts } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";

/** Shows the secret of a new key. It exists in this page only; leaving the page loses it. */
export function NewSecret({
  secret,
  made = "created",
}: {
  secret: string;
  made?: "created" | "renewed";
}) {
  return (
    <Card className={parts}>
      <div role="status">
        <MessageBlock kind="success">
          {`The key was ${made}. Copy its secret now: it is shown only once.`}
        </MessageBlock>
      </div>
      <SecretField
        label="Secret"
        hint="It is shown only once. Send it with each call in the header 'Authorization: Bearer'. Store it like a password."
        secret={secret}
      />
    </Card>
  );
}
