import { useLoaderData, useNavigation } from "@remix-run/react";
import { AccountPage, SaveAndReset, VersionField } from "../../features/users/account-page";
import { contactValidator } from "../../features/users/profile-forms";
import { editProfile, getProfile } from "../../features/users/profile.server";
import { pageMeta } from "../../forms/page-meta";
import { keepForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { Form, IdempotencyKey, TextField } from "../../ui/form/form";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";

export const meta = pageMeta("Profile - Edit your account");

export const loader = screenLoader(requireUser, async (args, { user }) => {
  const { firstName, lastName, phone, email, version } = await getProfile(user.id);
  return { values: { firstName, lastName, phone }, email, version, ...newForm(args) };
});

export const action = formAction({
  guard: requireUser,
  validator: contactValidator,
  async run({ values, version }, { options }) {
    await editProfile(values, version, options);
    return { to: paths.dashboard, text: "Profile updated" };
  },
});

export const clientAction = keepForm("Failed to update profile");

export default function AccountProfile() {
  const { values, email, version, idempotencyKey } = useLoaderData<typeof loader>();
  const isPending = useNavigation().formMethod === "POST";
  return (
    <AccountPage>
      <CardSection title="Profile">
        <FactList
          facts={[
            ["Name", values.firstName || "–"],
            ["Last name", values.lastName || "–"],
            ["Phone", values.phone || "–"],
            ["Email", email],
          ]}
        />
        <Form id="contact" validator={contactValidator} defaultValues={values}>
          <IdempotencyKey value={idempotencyKey} />
          <VersionField version={version} />
          <TextField name="firstName" label="Name" autoComplete="given-name" />
          <TextField name="lastName" label="Last name" autoComplete="family-name" />
          <TextField name="phone" label="Phone" type="tel" autoComplete="tel" width="medium" />
          <SaveAndReset isPending={isPending} path={paths.accountProfile} />
        </Form>
      </CardSection>
    </AccountPage>
  );
}
