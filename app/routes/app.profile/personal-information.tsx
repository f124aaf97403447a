// Without script: facts, a link that opens the form, and a form that comes back filled.
import { useActionData, useSearchParams } from "@remix-run/react";
import { profileFacts, ProfileForm } from "../../features/people/profile-form";
import { besideProfileForm, profileValidator } from "../../features/people/profile-forms";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { FormSubmit } from "../../ui/validated-form/form";
import { useIsConflict } from "../../ui/validated-form/version-field";
import { Avatar } from "../../ui/layout/avatar";
import { CardSection } from "../../ui/layout/detail";
import { actions } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { DialogLink } from "../../ui/overlay/dialog-route";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import * as css from "./profile.css";
import type { ProfilePageData } from "./route";

type PageProps = { page: ProfilePageData };

export function Overview({ page: { avatar, name, email, twoStep } }: PageProps) {
  const [params] = useSearchParams();
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
        <DialogLink
          id="choose-avatar"
          to={besideProfileForm(paths.avatarChooser, params)}
          preventScrollReset
        >
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
  const { values, email, role } = page;
  const [params] = useSearchParams();
  const answer = useActionData<{ formId?: string }>();
  const isConflict = useIsConflict();
  const areScriptsRunning = useAreScriptsRunning();
  const isEdited = params.has("edit") || answer?.formId === formId;
  return (
    <CardSection title="Personal Information">
      <FactList
        facts={[
          ...(isEdited && !isConflict ? [] : profileFacts(values)),
          ["Email", email],
          ["Role", role],
        ]}
      />
      {isEdited ? (
        <ProfileForm id={formId} validator={profileValidator} page={page}>
          <FormSubmit pendingLabel="Saving..." label="Save Changes">
            <ButtonLink to={paths.profile} state={{ focus: "edit-profile" }} preventScrollReset>
              Cancel
            </ButtonLink>
          </FormSubmit>
        </ProfileForm>
      ) : (
        <div className={actions}>
          <ButtonLink
            id="edit-profile"
            // Without scripts the fragment leads to the form.
            to={areScriptsRunning ? paths.profileEdit : `${paths.profileEdit}#${formId}`}
            state={{ focus: "firstName" }}
            preventScrollReset
          >
            Edit Profile
          </ButtonLink>
        </div>
      )}
    </CardSection>
  );
}
