import type { ReactNode } from "react";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { Icon } from "../../ui/icon/icon";
import { MessageBlock } from "../../ui/feedback/message-block";
import { card } from "../../ui/layout/layout.css";
import { muted } from "#styles/global.css";
import * as css from "./login.css";

/** Nothing here needs a script. */
export function LoginPage({
  greeting,
  refusal,
  notice,
  email = "",
  hidden = [],
}: {
  greeting: string;
  /** Why the last attempt was refused. */
  refusal?: string | undefined;
  /** Why one is here: the session ended while a form was filled in. */
  notice?: string | undefined;
  email?: string;
  /** `returnTo`, and the fields of a form that was posted after the session had ended. */
  hidden?: readonly { name: string; value: string }[];
}) {
  return (
    <main className={css.page}>
      <p className={css.product}>
        <span className={css.mark}>
          <Icon name="qr-generation" />
        </span>
        Promo Console
      </p>
      <LoginCard title={greeting} text="Sign in to continue.">
        {notice && <MessageBlock kind="info">{notice}</MessageBlock>}
        {refusal && (
          // eslint-disable-next-line jsx-a11y/no-autofocus -- read out without a script: the answer to the attempt
          <div role="alert" tabIndex={-1} autoFocus className={css.refusal}>
            <MessageBlock kind="error">{refusal}</MessageBlock>
          </div>
        )}
        <form method="post" noValidate className={form.form}>
          {hidden.map(({ name, value }, index) => (
            <input key={`${index}-${name}`} type="hidden" name={name} value={value} />
          ))}
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

/** After a session ended in the middle of a form: one press, and the form is back. Needs no script. */
export function ContinuePage({
  returnTo,
  fields,
}: {
  returnTo: string;
  fields: [string, string][];
}) {
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

function LoginCard({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}) {
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
