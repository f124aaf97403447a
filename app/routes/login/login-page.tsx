import type { ReactNode } from "react";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { Icon } from "../../ui/icon/icon";
import { MessageBlock } from "../../ui/feedback/message-block";
import { card } from "../../ui/layout/layout.css";
import { muted } from "#styles/global.css";
import * as css from "./login.css";

export type LoginAttempt = {
  /** Why the last attempt was refused. */
  refusal?: string;
  email?: string;
  /** The fields of a form that was posted after the session had ended, packed into one. */
  restored?: string;
};

/** Nothing here needs a script. */
export function LoginPage({
  greeting,
  refusal,
  email = "",
  restored,
}: LoginAttempt & { greeting: string }) {
  return (
    <main className={css.page}>
      <p className={css.product}>
        <span className={css.mark}>
          <Icon name="qr-generation" />
        </span>
        Promo Console
      </p>
      <LoginCard title={greeting} text="Sign in to continue.">
        {restored !== undefined && (
          <MessageBlock kind="info">
            Your session has ended. Sign in again, and the form comes back as you filled it in.
          </MessageBlock>
        )}
        {refusal && (
          // eslint-disable-next-line jsx-a11y/no-autofocus -- read out without a script: the answer to the attempt
          <div role="alert" tabIndex={-1} autoFocus className={css.refusal}>
            <MessageBlock kind="error">{refusal}</MessageBlock>
          </div>
        )}
        <form method="post" noValidate className={form.form}>
          {restored !== undefined && (
            <input type="hidden" name={restoredFieldName} value={restored} />
          )}
          <InputField
            name="email"
            label="Email"
            type="email"
            autoComplete="username"
            required
            defaultValue={email}
          />
          <InputField
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
            required
          />
          <div className={form.formActions}>
            <Button variant="primary">Login</Button>
          </div>
        </form>
      </LoginCard>
    </main>
  );
}

/** A form to go back to, and its fields as they were filled. */
export type RestoredForm = { returnTo: string; fields: [string, string][] };

/** After a session ended in the middle of a form: one press, and the form is back. Needs no script. */
export function ContinuePage({ returnTo, fields }: RestoredForm) {
  return (
    <main className={css.page}>
      <LoginCard title="Continue" text="You are signed in again. Nothing you typed was lost.">
        <form method="post" action={returnTo}>
          {fields.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="intent" value="restore" />
          <div className={form.formActions}>
            <Button variant="primary">Continue</Button>
          </div>
        </form>
      </LoginCard>
    </main>
  );
}

/** Returns the greeting for an hour of the site's clock. */
export function greetingAt(timestamp: Date, timeZone: string): string {
  const hour = Number(
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", hourCycle: "h23", timeZone }).format(
      timestamp,
    ),
  );
  if (hour >= 4 && hour <= 12) return "Good Morning";
  if (hour >= 13 && hour <= 16) return "Good Day";
  if (hour >= 17) return "Good Evening";
  return "Good Night";
}

type LoginCardProps = { title: string; text: string; children: ReactNode };

function LoginCard({ title, text, children }: LoginCardProps) {
  return (
    <div className={`${card} ${css.card}`}>
      <div>
        <h1>{title}</h1>
        <p className={muted}>{text}</p>
      </div>
      {children}
    </div>
  );
}

/** The fields of a form that was posted after the session had ended travel in one hidden field. */
export const restoredFieldName = "restored";

const maxCharacters = 64 * 1024;
const secretName = /passw|secret|token|api_?key/i;

/** Everything but secrets, files and the button that was pressed. */
export function packFields(posted: FormData): string {
  const fields = [...posted].filter(
    ([name, value]) => typeof value === "string" && name !== "intent" && !secretName.test(name),
  );
  const packed = JSON.stringify(fields);
  return packed.length <= maxCharacters ? packed : "[]";
}

export function unpackFields(packed: unknown): [string, string][] {
  if (typeof packed !== "string" || packed.length > maxCharacters) return [];
  let fields: unknown;
  try {
    fields = JSON.parse(packed);
  } catch {
    return [];
  }
  return Array.isArray(fields) ? fields.filter(isField) : [];
}

function isField(field: unknown): field is [string, string] {
  return (
    Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === "string")
  );
}
