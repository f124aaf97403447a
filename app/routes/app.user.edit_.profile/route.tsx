import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { AccountPage, SaveAndReset } from "../../features/people/account-page";
import { photoField, photoIntents } from "../../features/people/photo-rules";
import {
  addPhoto,
  choosePhoto,
  listPhotos,
  readNewPhoto,
} from "../../features/people/photos.server";
import { pictureError } from "../../features/pictures/picture-rules";
import { profileFacts, ProfileForm } from "../../features/people/profile-form";
import { contactValidator } from "../../features/people/profile-forms";
import { saveProfileForm, getProfile } from "../../features/people/profile.server";
import { formatBytes } from "../../format/number";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { checked, formsAction, formLoader, orGone } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { useIsConflict } from "../../ui/validated-form/version-field";
import { CardSection } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { Photos } from "./photos";

export const meta = pageMeta();

export type AccountProfileData = SerializeFrom<typeof loader>;

export const loader = formLoader(requireUser, async (args, { user }) => {
  const [profile, photos] = await Promise.all([getProfile(user.id), listPhotos(user.id)]);
  const { firstName, lastName, phone, email, version } = profile;
  return {
    values: { firstName, lastName, phone },
    email,
    version,
    photos: photos.map(({ sizeInBytes, ...photo }) => ({
      ...photo,
      size: formatBytes(sizeInBytes),
    })),
  };
});

const avatarUpdated = { to: paths.accountProfile, text: "Avatar updated successfully" };

export const action = formsAction({
  guard: requireUser,
  secrets: [photoField],
  forms: {
    "": checked(contactValidator, async (input, { options }) => {
      await saveProfileForm(input, options);
      return { to: paths.dashboard, text: "Profile updated" };
    }),
    async [photoIntents.upload]({ posted, options }) {
      const file = posted.get(photoField);
      await addPhoto(await readNewPhoto(file instanceof File ? file : new File([], "")), options);
      return avatarUpdated;
    },
    [photoIntents.use]: orGone(
      { to: paths.accountProfile, text: "This photo is already deleted" },
      async ({ field, options }) => {
        await choosePhoto(field("id"), options);
        return avatarUpdated;
      },
    ),
  },
});

export async function clientAction(args: ClientActionFunctionArgs) {
  const intent = String((await args.request.clone().formData()).get("intent"));
  const isPhoto = Object.values(photoIntents).includes(intent);
  const failure = isPhoto ? "Failed to update avatar" : "Failed to update profile";
  return rerenderForm(failure, pictureError)(args);
}

const labels = { firstName: "Name" };

export default function AccountProfile() {
  const page = useLoaderData<typeof loader>();
  const { values, email } = page;
  const isConflict = useIsConflict();
  return (
    <AccountPage>
      <Outlet />
      <div className={parts}>
        <Photos page={page} />
        <CardSection title="Profile">
          <FactList
            facts={[...(isConflict ? profileFacts(values, labels) : []), ["Email", email]]}
          />
          <ProfileForm id="contact" validator={contactValidator} page={page} labels={labels}>
            <SaveAndReset path={paths.accountProfile} />
          </ProfileForm>
        </CardSection>
      </div>
    </AccountPage>
  );
}
