// Without script: the page says that passkeys need one, and how to go on without.
import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, type ReactNode } from "react";
import { useNonce } from "../../nonce";
import { FailureNote } from "../feedback/message-block";
import { Button } from "./button";
import * as form from "./form.css";
import { startPasskey } from "./passkey-script.js";
import passkeyScript from "./passkey-script.js?url";

/** Asks the browser for a passkey at once, and sends its answer. */
export function PasskeyForm({
  request,
  fields,
  isLite,
  failure,
  children,
}: {
  request: object;
  fields: Record<string, string | undefined>;
  /** Whether no script may be sent. */
  isLite: boolean;
  /** The reason why the answer could not be sent. */
  failure?: string | undefined;
  children: ReactNode;
}) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => startPasskey(element.current!), []);
  return (
    <Form ref={element} method="post" className={form.form} data-passkey={JSON.stringify(request)}>
      {Object.entries(fields).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input type="hidden" name="credential" />
      <p role="status">
        {isLite
          ? "Passkeys need JavaScript, and lite mode sends none. Go back, or switch lite mode off."
          : "Passkeys need JavaScript, which doesn't run here. Go back and continue without one."}
      </p>
      <FailureNote isPending={useNavigation().state !== "idle"}>{failure}</FailureNote>
      <div className={form.formActions}>
        <Button variant="primary" hidden>
          Try again
        </Button>
        {children}
      </div>
    </Form>
  );
}

/** Runs the form on a page that is not hydrated. */
export function PasskeyScript() {
  return <script type="module" src={passkeyScript} nonce={useNonce()} />;
}
