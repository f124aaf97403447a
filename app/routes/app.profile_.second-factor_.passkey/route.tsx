import { describeBrowser } from "../../features/sign-in/browser-name";
import { addPasskey, startAddingPasskey } from "../../features/second-factor/passkeys.server";
import { passkeyNameValidator } from "../../features/second-factor/second-factor-forms";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import {
  checked,
  confirmed,
  formLoader,
  formsAction,
  showOnce,
} from "../../http/form-action.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";

export const meta = pageMeta();

export const loader = formLoader(requireUserBeforeSetUp, async (args) => ({
  isLite: readPreferences(args.request).isLite,
  name: describeBrowser(args.request.headers.get("User-Agent") ?? ""),
}));

export const action = formsAction({
  guard: requireUserBeforeSetUp,
  secrets: ["credential"],
  forms: {
    start: checked(
      passkeyNameValidator,
      confirmed(async ({ name }, { session }) => {
        const request = await startAddingPasskey(session.user);
        return { errors: {}, status: 200, answer: { request, name } };
      }),
    ),
    add: confirmed(async ({ session, field, options }) => {
      const input = { name: field("name"), credential: field("credential") };
      const recoveryCodes = await addPasskey(session.user.id, input, options);
      if (!recoveryCodes) return { to: paths.secondFactor, text: "Passkey added" };
      return showOnce(
        { recoveryCodes },
        "Passkey added, but your recovery codes were not shown. Create new ones.",
      );
    }),
  },
});

export const clientAction = rerenderForm("Error adding passkey");

export { AddPasskey as default } from "./add-passkey";
