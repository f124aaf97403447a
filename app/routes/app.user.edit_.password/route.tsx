import { useLoaderData } from "@remix-run/react";
import { useMemo, useState } from "react";
import { AccountPage, SaveAndReset } from "../../features/people/account-page";
import { passwordChangeValidator, passwordFields } from "../../features/sign-in/password-rules";
import { changePassword } from "../../features/sign-in/passwords.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader, rejectWrongPassword } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { newSessionId } from "../../http/sessions.server";
import { paths } from "../../paths";
import { Form, TextField } from "../../ui/validated-form/form";
import { Choice } from "../../ui/form/field";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { hint } from "../../ui/form/form.css";
import { useLastMessage } from "../../ui/form/last-message";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { CardSection } from "../../ui/layout/detail";

export const meta = pageMeta();

export const loader = formLoader(requireUser, async (args, { user }) => ({
  email: user.email,
}));

export const action = formAction({
  guard: requireUser,
  validator: ({ session }) => passwordChangeValidator(session.user.email),
  secrets: passwordFields,
  async run(input, { session, context, options }) {
    const { clientAddress } = context;
    const { idHash, setCookieHeader } = newSessionId();
    const change = { ...options, clientAddress, newIdHash: idHash };
    const rejection = await rejectWrongPassword("currentPassword", () =>
      changePassword(session, input, change),
    );
    if (rejection) return rejection;
    const message = { kind: "success", text: "Password updated" } as const;
    const answer = await redirectWithMessage(
      { ...session, idHash },
      paths.accountPassword,
      message,
    );
    answer.headers.append("Set-Cookie", setCookieHeader);
    return answer;
  },
});

export const clientAction = rerenderForm("Error");

export default function ChangePassword() {
  const { email } = useLoaderData<typeof loader>();
  const validator = useMemo(() => passwordChangeValidator(email), [email]);
  const [isShown, setIsShown] = useState(false);
  return (
    <AccountPage>
      <CardSection title="Change password">
        {/* After a change, which has a message, the fields are empty. */}
        <Form key={useLastMessage()} id="password" validator={validator}>
          <IdempotencyKey />
          {/* For password managers, which store the password under it. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <TextField
            name="currentPassword"
            label="Current Password"
            type={isShown ? "text" : "password"}
            autoComplete="current-password"
          />
          <TextField
            name="newPassword"
            label="New Password"
            hint="At least 12 characters. Several words are easy to remember and hard to guess."
            type={isShown ? "text" : "password"}
            autoComplete="new-password"
          />
          <TextField
            name="confirmPassword"
            label="Confirm Password"
            type={isShown ? "text" : "password"}
            autoComplete="new-password"
          />
          {useAreScriptsRunning() && (
            <Choice
              type="checkbox"
              checked={isShown}
              onChange={({ currentTarget }) => setIsShown(currentTarget.checked)}
            >
              Show passwords
            </Choice>
          )}
          <p className={hint}>
            All other sessions and all API tokens end. Your API key stays valid; regenerate it if
            somebody may know it.
          </p>
          <SaveAndReset label="Save Password" path={paths.accountPassword} />
        </Form>
      </CardSection>
    </AccountPage>
  );
}
