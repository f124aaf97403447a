// Without script: plain forms.
import { useActionData } from "@remix-run/react";
import { muted, visuallyHidden } from "#styles/global.css";
import { EventList } from "../../features/activity/history";
import { endSessionsValidator } from "../../features/people/profile-forms";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Button } from "../../ui/form/button";
import { Checkbox, Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { PostButton, type PostAnswer } from "../../ui/form/post-button";
import { CardSection } from "../../ui/layout/detail";
import { actionEntries, title } from "../../ui/layout/layout.css";
import type { ProfilePageData } from "./route";

export function Sessions({ page }: { page: ProfilePageData }) {
  const { sessions, apiSignIns } = page;
  return (
    <CardSection title="Sessions">
      <ul className={actionEntries}>
        {sessions.map(({ publicId, browser, isCurrent, started, lastUsed }) => (
          <li key={publicId}>
            <p className={title}>
              <strong>{browser}</strong> {isCurrent && <Badge tone="info">This browser</Badge>}
            </p>
            <p className={muted}>
              Signed in {started}, last used {lastUsed}
            </p>
            {isCurrent ? (
              // Browsers without <details> can't open the menu that signs out.
              <form method="post" action={paths.logout}>
                <Button size="small">
                  <SignOut browser={browser} started={started} />
                </Button>
              </form>
            ) : (
              <PostButton
                intent="end-session"
                fields={{ session: publicId }}
                keySuffix={publicId}
                pendingLabel="Signing out..."
                size="small"
              >
                <SignOut browser={browser} started={started} />
              </PostButton>
            )}
          </li>
        ))}
      </ul>
      {apiSignIns && <p>{apiSignIns}</p>}
      {(sessions.length > 1 || apiSignIns || page.apiKey || page.passkeyCount > 0) && (
        <EndOtherSessions page={page} />
      )}
    </CardSection>
  );
}

const formId = "end-sessions";

function EndOtherSessions({ page }: { page: ProfilePageData }) {
  const { apiKey, passkeyCount } = page;
  const answer = useActionData<PostAnswer>();
  const isPasswordAsked = answer?.formId === formId && answer.fieldErrors?.password !== undefined;
  return (
    <Form id={formId} validator={endSessionsValidator} preventScrollReset>
      <IdempotencyKey key={useLastMessage()} suffix="others" />
      {apiKey && <Checkbox name="revokeKey" label="Also revoke my API key" />}
      {passkeyCount > 0 && <Checkbox name="removePasskeys" label="Also remove my passkeys" />}
      {isPasswordAsked && <PasswordAgain />}
      <FormSubmit
        name="intent"
        value="end-other-sessions"
        variant="default"
        pendingLabel="Signing out..."
        label="Sign out all other sessions"
      />
    </Form>
  );
}

/** Says which session a button ends. */
function SignOut({ browser, started }: { browser: string; started: string }) {
  return (
    <>
      Sign out
      <span className={visuallyHidden}>{` ${browser}, signed in ${started}`}</span>
    </>
  );
}

export function Activity({ page: { activity } }: { page: ProfilePageData }) {
  return (
    <CardSection title="Your activity">
      <EventList entries={activity}>
        {({ subject }) => (subject?.to ? <a href={subject.to}>{subject.label}</a> : subject?.label)}
      </EventList>
    </CardSection>
  );
}
