// Without script: plain posts of the page; one that is not accepted comes back filled.
import type { SerializeFrom } from "@remix-run/node";
import { editUserValidator } from "../../features/people/managed-user";
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import { UserFields } from "../../features/people/user-fields";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { VersionField } from "../../ui/validated-form/version-field";
import { PostButton } from "../../ui/form/post-button";
import { CardSection } from "../../ui/layout/detail";
import type { loader } from "./route";

type UserPage = SerializeFrom<typeof loader>;

export function EditUser({ page }: { page: UserPage }) {
  const { user, values, isOneself } = page;
  return (
    <CardSection title="Edit user">
      <Form
        id="edit-user"
        validator={editUserValidator}
        defaultValues={values}
        encType="multipart/form-data"
      >
        <IdempotencyKey />
        <VersionField version={user.version} />
        <UserFields {...(isOneself && { own: values.role })} isInvited={user.state === "invited"} />
        <FormSubmit name="intent" value="save" pendingLabel="Saving..." label="Save changes">
          <ButtonLink to={paths.users}>Cancel</ButtonLink>
        </FormSubmit>
      </Form>
    </CardSection>
  );
}

export function InviteAgain() {
  return (
    <CardSection title="Invitation">
      <p>The user has not set a password yet. Sending a new link makes earlier ones invalid.</p>
      <PostButton intent="invite" pendingLabel="Sending...">
        Resend invitation
      </PostButton>
    </CardSection>
  );
}

export function RemoveSecondFactor() {
  return (
    <CardSection title="Two-step verification">
      <p>Turn it off, with the user&apos;s passkeys, when phone and recovery codes are lost.</p>
      <Form id="second-factor" validator={passwordOnlyValidator}>
        <IdempotencyKey suffix="second-factor" />
        <PasswordAgain />
        <FormSubmit
          name="intent"
          value="removeSecondFactor"
          variant="danger"
          pendingLabel="Turning off..."
          label="Turn off two-step verification"
        />
      </Form>
    </CardSection>
  );
}
