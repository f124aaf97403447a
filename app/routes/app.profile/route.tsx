import type { HeadersFunction, SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { editProfile } from "../../features/users/profile.server";
import { profileValidator } from "../../features/users/profile-forms";
import { pageMeta } from "../../forms/page-meta";
import { keepForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { checked, formsAction, retryAfterHeaders } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { Overview, PersonalInformation } from "./personal-information";
import { readProfilePage } from "./screen.server";
import { Settings } from "./settings";

export const meta = pageMeta("Profile");

export type ProfilePageData = SerializeFrom<typeof loader>;

export const headers: HeadersFunction = (args) => retryAfterHeaders(args);

export const loader = screenLoader(requireUser, readProfilePage);

export const action = formsAction({
  guard: requireUser,
  forms: {
    "": checked(profileValidator, async ({ values, version }, { options }) => {
      await editProfile(values, version, options);
      return { to: paths.profile, text: "Profile updated successfully" };
    }),
  },
});

export const clientAction = keepForm("Failed to update profile");

export const shouldRevalidate = keepUnderDialogs();

export default function ProfilePage() {
  const page = useLoaderData<typeof loader>();
  return (
    <Page title="Profile">
      <Outlet />
      <div className={parts}>
        <Overview page={page} />
        <PersonalInformation page={page} />
        <Settings page={page} />
      </div>
    </Page>
  );
}
