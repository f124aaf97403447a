import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { unavailableAs } from "../../http/answers.server";
import { formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { DetailColumns } from "../../ui/layout/detail";
import { Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { ApiKey } from "./api-key";
import { Overview, PersonalInformation } from "./personal-information";
import { profileAction, readProfilePage } from "./screen.server";
import { Activity, Sessions } from "./sessions";
import { Settings } from "./settings";

export const meta = pageMeta();

export type ProfilePageData = SerializeFrom<typeof loader>;

export const loader = formLoader(requireUser, (args, session) =>
  unavailableAs("Failed to load user data", args, () => readProfilePage(args, session)),
);

export const action = profileAction;

const failures: Record<string, string> = {
  reveal: "Error revealing API key",
  "end-session": "Error signing out",
  "end-other-sessions": "Error signing out",
};

export async function clientAction(args: ClientActionFunctionArgs) {
  const intent = (await args.request.clone().formData()).get("intent");
  return rerenderForm(failures[String(intent)] ?? "Failed to update profile")(args);
}

export const shouldRevalidate = ignoreDialogs();

export default function ProfilePage() {
  const page = useLoaderData<typeof loader>();
  return (
    <Page title="Profile">
      <Outlet />
      <DetailColumns aside={<Settings page={page} />}>
        <Overview page={page} />
        <PersonalInformation page={page} />
        {useCanEdit() && <ApiKey page={page} />}
        <Sessions page={page} />
        <Activity page={page} />
      </DetailColumns>
    </Page>
  );
}
