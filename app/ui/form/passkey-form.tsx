// Without script: the page says that passkeys need one, and how to go on without.
import type { ReactNode } from "react";
import { useNonce } from "../../nonce";
import { Button } from "./button";
import * as form from "./form.css";

/** Asks the browser for a passkey at once; its only script is `public/passkey.js`. */
export function PasskeyForm({
  request,
  fields,
  isLite,
  children,
}: {
  /** The question for the browser. */
  request: object;
  /** Sent with the answer. */
  fields: Record<string, string | undefined>;
  /** Whether no script may be sent. */
  isLite: boolean;
  /** The way back. */
  children: ReactNode;
}) {
  const nonce = useNonce();
  return (
    <form method="post" className={form.form} data-passkey={JSON.stringify(request)}>
      {Object.entries(fields).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input type="hidden" name="credential" />
      <p role="status">
        {isLite
          ? "Passkeys need JavaScript, and lite mode sends none. Go back, or switch lite mode off."
          : "Passkeys need JavaScript, which doesn’t run here. Go back and go on without."}
      </p>
      <div className={form.formActions}>
        <Button variant="primary" hidden>
          Try again
        </Button>
        {children}
      </div>
      {!isLite && <script type="module" src="/passkey.js" nonce={nonce} />}
    </form>
  );
}
