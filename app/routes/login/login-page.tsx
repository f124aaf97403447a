import { Button } from "../../ui/form/button";
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
      <div className={`${card} ${css.card}`}>
        <div>
          <h1>{greeting}</h1>
          <p className={muted}>Sign in to continue.</p>
        </div>
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
          <div className={form.field}>
            <label htmlFor="email" className={form.label}>
              Email
            </label>
            <input
              id="email"
              name="email"
              type="email"
              autoComplete="username"
              required
              defaultValue={email}
              className={form.input}
            />
          </div>
          <div className={form.field}>
            <label htmlFor="password" className={form.label}>
              Password
            </label>
            <input
              id="password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              className={form.input}
            />
          </div>
          <div className={form.formActions}>
            <Button variant="primary">Login</Button>
          </div>
        </form>
      </div>
    </main>
  );
}
