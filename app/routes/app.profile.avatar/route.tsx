import { useLoaderData, useSearchParams } from "@remix-run/react";
import { Fragment } from "react";
import { avatarIcons } from "../../features/people/avatar";
import { avatarDrawings } from "../../features/people/avatar-drawings.server";
import { chooseAvatarIcon } from "../../features/people/profile.server";
import { avatarValidator, besideProfileForm } from "../../features/people/profile-forms";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { DialogForm } from "../_dialog-form/dialog-form";
import { RadioGroup } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { Avatar } from "../../ui/layout/avatar";

export const meta = pageMeta();

export const loader = formLoader(requireUser, async (args, { user }) => ({
  icons: Object.entries(avatarIcons).map(([value, label]) => ({
    value,
    label,
    drawing: avatarDrawings[value as keyof typeof avatarIcons],
  })),
  /** Null while an image is shown. */
  chosen: user.avatarId === null ? user.avatarIcon : null,
}));

export const action = formAction({
  guard: requireUser,
  validator: avatarValidator,
  async run({ avatarIcon }, { request, options }) {
    await chooseAvatarIcon(avatarIcon, options);
    const to = besideProfileForm(paths.profile, new URL(request.url).searchParams);
    return { to, text: "Avatar updated successfully" };
  },
});

export const clientAction = rerenderForm("Failed to update avatar");

export default function AvatarChooser() {
  const { icons, chosen } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  return (
    <DialogForm
      dialog={{
        title: "Choose Your Avatar",
        closeTo: besideProfileForm(paths.profile, params),
        returnFocusTo: "choose-avatar",
      }}
      button={{ children: "Save avatar", pendingLabel: "Saving..." }}
      id="avatar"
      validator={avatarValidator}
      defaultValues={{ avatarIcon: chosen ?? "" }}
    >
      <IdempotencyKey />
      <RadioGroup
        name="avatarIcon"
        legend="Avatar"
        options={Object.fromEntries(
          icons.map(({ value, label, drawing }) => [
            value,
            <Fragment key={value}>
              <Avatar view={{ drawing }} />
              {label}
            </Fragment>,
          ]),
        )}
      />
    </DialogForm>
  );
}
