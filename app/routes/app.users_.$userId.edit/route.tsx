import { Form as PlainForm, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { userHistory } from "../../features/activity/audit-log.server";
import { History } from "../../features/activity/history";
import { editUserValidator, toUserFacts, userState } from "../../features/users/managed-user";
import {
  editManagedUser,
  getManagedUser,
  inviteAgain,
} from "../../features/users/user-admin.server";
import { UserFields } from "../../features/users/user-fields";
import { UserStateBadge } from "../../features/users/user-state-badge";
import { pageMeta } from "../../forms/page-meta";
import { keepForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import {
  checked,
  formsAction,
  newForm,
  passwordField,
  rejectUnconfirmed,
  retryAfterHeaders,
} from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { mailInvitation } from "../../features/users/invitations.server";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, IdempotencyKey } from "../../ui/form/form";
import { CardSection, DetailColumns } from "../../ui/layout/detail";
import { FactList, Page } from "../../ui/layout/page";

export const meta = pageMeta<{ user: { email: string } }>(
  (page) => `${page?.user.email ?? "User"} - Users`,
);

export const handle = { nameOf: ({ user }: { user: { email: string } }) => user.email };

export const headers = retryAfterHeaders;

export const loader = screenLoader(requireAdmin, async (args, session) => {
  const user = await getManagedUser(args.params.userId ?? "");
  const timeZone = siteTimeZone();
  const { id, email, firstName, lastName, phoneNumber, role, isDisabled, version } = user;
  return {
    ...newForm(args),
    user: { id, email, state: userState(user), version },
    isOneself: id === session.user.id,
    values: { email, firstName, lastName, phoneNumber, role, disabled: isDisabled },
    facts: toUserFacts(user, timeZone),
    history: await userHistory(id, timeZone),
    isPasswordAsked: !session.isPasswordRecent,
  };
});

export const action = formsAction({
  guard: requireAdmin,
  secrets: [passwordField],
  forms: {
    save: checked(editUserValidator, async (edit, post) => {
      const rejection = await rejectUnconfirmed(post);
      if (rejection) return rejection;
      await editManagedUser(post.params.userId ?? "", edit, post.options);
      return { to: paths.users, text: "Users updated" };
    }),
    async invite({ params: { userId = "" }, options }) {
      await inviteAgain(userId, options, mailInvitation);
      return { to: paths.user(userId), text: "Invitation sent" };
    },
  },
});

export const clientAction = keepForm("Error changing user");

export default function EditUser() {
  const page = useLoaderData<typeof loader>();
  const { user, values, facts, history, isOneself, isPasswordAsked } = page;
  const answer = useActionData<{ version?: string | null }>();
  const { formMethod, formData } = useNavigation();
  const isSaving = formMethod === "POST" && formData?.get("intent") === "save";
  return (
    <Page title={user.email} beside={<UserStateBadge state={user.state} />}>
      <DetailColumns aside={<FactList facts={facts} aria-label="Now" />}>
        <CardSection title="Edit user">
          <Form id="edit-user" validator={editUserValidator} defaultValues={values}>
            <IdempotencyKey value={page.idempotencyKey} />
            <input type="hidden" name="version" value={answer?.version ?? user.version} />
            <UserFields
              {...(isOneself && { own: values.role })}
              isPasswordAsked={isPasswordAsked}
            />
            <FormSubmit
              name="intent"
              value="save"
              isPending={isSaving}
              pendingLabel="Saving..."
              label="Save"
            >
              <ButtonLink to={paths.users}>Cancel</ButtonLink>
            </FormSubmit>
          </Form>
        </CardSection>
        {user.state === "invited" && (
          <CardSection title="Invitation">
            <p>The user has not set a password yet. A new link ends the earlier ones.</p>
            <PlainForm method="post">
              <Button name="intent" value="invite">
                Send the invitation again
              </Button>
            </PlainForm>
          </CardSection>
        )}
        <History entries={history} />
      </DetailColumns>
    </Page>
  );
}
