import { useLoaderData } from "@remix-run/react";
import { AccountPage, SaveAndReset } from "../../features/people/account-page";
import { roleLabels } from "../../features/sign-in/user";
import { profileFacts, ProfileForm } from "../../features/people/profile-form";
import { accountValidator } from "../../features/people/profile-forms";
import { saveProfileForm, getProfile } from "../../features/people/profile.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { useIsConflict } from "../../ui/validated-form/version-field";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";

export const meta = pageMeta();

export const loader = formLoader(requireUser, async (args, { user }) => {
  const { firstName, email, role, version } = await getProfile(user.id);
  return { values: { firstName }, email, role: roleLabels[role], version };
});

export const action = formAction({
  guard: requireUser,
  validator: accountValidator,
  async run(input, { options }) {
    await saveProfileForm(input, options);
    return { to: paths.dashboard, text: "User Edited" };
  },
});

export const clientAction = rerenderForm("Failed to update profile");

export default function Account() {
  const page = useLoaderData<typeof loader>();
  const { values, email, role } = page;
  const isConflict = useIsConflict();
  return (
    <AccountPage>
      <CardSection title="Account">
        <FactList
          facts={[...(isConflict ? profileFacts(values) : []), ["Email", email], ["Role", role]]}
        />
        <ProfileForm id="account" validator={accountValidator} page={page}>
          <SaveAndReset path={paths.account} />
        </ProfileForm>
      </CardSection>
    </AccountPage>
  );
}
