import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { historyOf } from "../../features/activity/audit-log.server";
import { History } from "../../features/activity/history";
import { FailedMailNotes } from "../_jobs/failed-mail-notes";
import { failedMailsTo } from "../../features/mail/failed-mails.server";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { toAvatarView } from "../../features/people/avatar-drawings.server";
import { editUserValidator, toUserFacts } from "../../features/people/managed-user";
import { photoField } from "../../features/people/photo-rules";
import { readChosenPhoto } from "../../features/people/photos.server";
import { userState } from "../../features/people/user-state";
import {
  hasSecondFactor,
  removeSecondFactor,
  requireOptionalSecondFactor,
} from "../../features/second-factor/second-factor.server";
import {
  editManagedUser,
  getManagedUser,
  inviteAgain,
} from "../../features/people/user-admin.server";
import { UserStateBadge } from "../../features/people/user-state-badge";
import { optionalPictureError } from "../../features/pictures/picture-rules";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { orList } from "../../http/answers.server";
import { checked, confirmed, formLoader, formsAction } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { DetailColumns } from "../../ui/layout/detail";
import { Avatar } from "../../ui/layout/avatar";
import { FactList, Page } from "../../ui/layout/page";
import { replaceRecipient } from "../../features/report-schedules/schedules.server";
import { EditUser, InviteAgain, RemoveSecondFactor } from "./user-forms";

export const meta = pageMeta();

export const handle = { nameOf: ({ user }: { user: { email: string } }) => user.email };

export const loader = formLoader(requireAdmin, async (args, session) => {
  const user = await orList(session, paths.users, getManagedUser(args.params.userId ?? ""));
  const timeZone = siteTimeZone();
  const { id, email, firstName, lastName, phoneNumber, role, isDisabled, version } = user;
  return {
    user: { id, email, state: userState(user), version },
    isOneself: id === session.user.id,
    values: { email, firstName, lastName, phoneNumber, role, disabled: isDisabled },
    facts: toUserFacts(user, timeZone),
    avatar: toAvatarView(user),
    history: await historyOf("user", id),
    hasSecondFactor: await hasSecondFactor(id),
    failedMails: (await failedMailsTo([email], timeZone)).get(email.toLowerCase()) ?? [],
  };
});

export const action = formsAction({
  guard: requireAdmin,
  secrets: [photoField],
  forms: {
    save: checked(
      editUserValidator,
      confirmed(async (edit, post) => {
        const { userId = "" } = post.params;
        const photo = await readChosenPhoto(post.posted);
        const options = { ...post.options, onNewEmail: replaceRecipient };
        await editManagedUser(userId, edit, options, photo);
        return { to: paths.users, text: "Users updated" };
      }),
    ),
    removeSecondFactor: confirmed(async (post) => {
      const { id, role } = await getManagedUser(post.params.userId ?? "");
      if (id === post.session.user.id) requireOptionalSecondFactor(role);
      await removeSecondFactor(id, post.options);
      return { to: paths.user(id), text: "Two-step verification is off" };
    }),
    async invite({ params: { userId = "" }, options }) {
      await inviteAgain(userId, options);
      const message = { to: paths.user(userId), text: "A new invitation is on its way" };
      return queuedMessage(message, "A new invitation will be sent");
    },
  },
});

export const clientAction = rerenderForm("Error changing user", optionalPictureError);

export default function UserScreen() {
  const page = useLoaderData<typeof loader>();
  const { user, facts, history, isOneself } = page;
  return (
    <Page
      title={user.email}
      beside={<UserStateBadge state={user.state} />}
      actions={!isOneself && <ButtonLink to={paths.userDeletion(user.id)}>Delete user</ButtonLink>}
    >
      <DetailColumns
        aside={
          <>
            <h2>Account</h2>
            <Avatar view={page.avatar} isLarge />
            <FactList facts={facts} />
          </>
        }
      >
        <FailedMailNotes mails={page.failedMails} />
        <EditUser page={page} />
        {user.state === "invited" && <InviteAgain />}
        {page.hasSecondFactor && !isOneself && <RemoveSecondFactor />}
        <History entries={history} />
      </DetailColumns>
    </Page>
  );
}
