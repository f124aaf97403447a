// Without script: facts, a link that opens the form, and a form that comes back filled.
import { useActionData, useNavigation, useSearchParams } from "@remix-run/react";
import { profileValidator } from "../../features/people/profile-forms";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, TextField } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useIsConflict, VersionField } from "../../ui/form/version-field";
import { Avatar } from "../../ui/layout/avatar";
import { CardSection } from "../../ui/layout/detail";
import { actions } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { DialogLink } from "../../ui/overlay/dialog-route";
import * as css from "./profile.css";
import type { ProfilePageData } from "./route";

type PageProps = { page: ProfilePageData };

export function Overview({ page: { avatar, name, email, twoStep } }: PageProps) {
  return (
    <CardSection title="Profile Overview">
      <div className={css.overview}>
        <Avatar view={avatar} isLarge />
        <FactList
          facts={[
            ["Name", name],
            ["Email", email],
            ["Two-step verification", twoStep],
          ]}
        />
      </div>
      <div className={actions}>
        <DialogLink id="choose-avatar" to={paths.avatarChooser} preventScrollReset>
          Choose avatar
        </DialogLink>
        <ButtonLink to={paths.accountProfile}>Photos</ButtonLink>
        <ButtonLink to={paths.accountPassword}>Change password</ButtonLink>
        <ButtonLink to={paths.secondFactor}>Two-step verification</ButtonLink>
      </div>
    </CardSection>
  );
}

const formId = "profile";

export function PersonalInformation({ page }: PageProps) {
  const [params] = useSearchParams();
  const answer = useActionData<{ formId?: string }>();
  const isConflict = useIsConflict();
  const isEdited = params.has("edit") || answer?.formId === formId;
  return (
    <CardSection title="Personal Information">
      <Facts page={page} hasValues={!isEdited || isConflict} />
      {isEdited ? (
        <EditForm page={page} />
      ) : (
        <div className={actions}>
          <ButtonLink id="edit-profile" to={paths.profileEdit} preventScrollReset>
            Edit Profile
          </ButtonLink>
        </div>
      )}
    </CardSection>
  );
}

/** @param hasValues false while the form shows them */
function Facts({ page: { values, email, role }, hasValues }: PageProps & { hasValues: boolean }) {
  return (
    <FactList
      facts={[
        hasValues && ["First name", values.firstName || "–"],
        hasValues && ["Last name", values.lastName || "–"],
        hasValues && ["Phone", values.phone || "–"],
        hasValues && ["Company", values.company || "–"],
        ["Email", email],
        ["Role", role],
      ]}
    />
  );
}

function EditForm({ page: { values, version, idempotencyKey } }: PageProps) {
  const isPending = useNavigation().formData?.has("version") ?? false;
  return (
    <Form id={formId} validator={profileValidator} defaultValues={values}>
      <IdempotencyKey value={idempotencyKey} />
      <VersionField version={version} />
      <TextField name="firstName" label="First name" autoComplete="given-name" />
      <TextField name="lastName" label="Last name" autoComplete="family-name" />
      <TextField name="phone" label="Phone" type="tel" autoComplete="tel" width="medium" />
      <TextField name="company" label="Company" autoComplete="organization" />
      <FormSubmit isPending={isPending} pendingLabel="Saving..." label="Save Changes">
        <ButtonLink to={paths.profile} preventScrollReset>
          Cancel
        </ButtonLink>
      </FormSubmit>
    </Form>
  );
}
