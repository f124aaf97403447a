// Without script: the secret in a field that can't be changed; it is there to be selected and copied.
import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/form/button";
import { Field, describedBy } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Card } from "../../ui/layout/page";
import { isHydrated } from "../../ui/overlay/hydration";
import * as css from "./new-secret.css";

const hint =
  "Sent as a header of each call, after ‘Authorization: Bearer’. Keep it where passwords are kept.";

/** Shows the secret of a new key. It exists in this page only; leaving the page loses it. */
export function NewSecret({ secret }: { secret: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [isFromDocument] = useState(() => !isHydrated());

  // A document's own is focused by the browser.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  return (
    <Card className={css.card}>
      <div role="status">
        <MessageBlock kind="success">
          The key is made. Copy its secret now: it is shown only this once.
        </MessageBlock>
      </div>
      <Field name="secret" label="Secret" hint={hint}>
        <div className={css.line}>
          <textarea
            ref={field}
            id="secret"
            rows={2}
            readOnly
            value={secret}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={describedBy("secret", { hint })}
            className={`${form.input} ${css.secret}`}
            onFocus={(event) => event.currentTarget.select()}
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent, where no script runs
            autoFocus={isFromDocument}
          />
          <CopyButton secret={secret} />
        </div>
      </Field>
    </Card>
  );
}

/** Only where a script can copy. */
function CopyButton({ secret }: { secret: string }) {
  const [canCopy, setCanCopy] = useState(false);
  const [status, setStatus] = useState("");
  useEffect(() => setCanCopy("clipboard" in navigator), []);
  if (!canCopy) return null;

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret);
      setStatus("Copied");
    } catch {
      setStatus("Could not be copied. Select it and copy it by hand.");
    }
  }
  return (
    <>
      <Button type="button" onClick={copy}>
        Copy
      </Button>
      <span role="status" className={css.status}>
        {status}
      </span>
    </>
  );
}
