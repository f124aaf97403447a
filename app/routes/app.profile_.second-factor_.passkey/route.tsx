import { describeBrowser } from "../../features/users/browser-name";
import { passkeyNameError } from "../../features/users/passkey";
import { addPasskey, startAddingPasskey } from "../../features/users/passkeys.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import {
  formsAction,
  confirmed,
  retryAfterHeaders,
  type Attempt,
  type FormPost,
} from "../../http/form-action.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";

export const handle = { hydrate: false };

export const meta = pageMeta("Add a passkey - Profile");

export const headers = retryAfterHeaders;

export const loader = screenLoader(requireUserBeforeSetUp, async ({ request }, session) => ({
  isPasswordAsked: !session.isPasswordRecent,
  isLite: readPreferences(request).isLite,
  name: describeBrowser(request.headers.get("User-Agent") ?? ""),
}));

/** Runs what needs a good name and the password again. */
const named = (run: Attempt) => async (post: FormPost) => {
  const error = passkeyNameError(post.field("name"));
  return error ? { errors: { name: error }, status: 422 } : confirmed(run)(post);
};

export const action = formsAction({
  guard: requireUserBeforeSetUp,
  secrets: ["credential"],
  forms: {
    start: named(async (post) => {
      const request = await startAddingPasskey(post.session.user);
      return { errors: {}, status: 200, answer: { request, name: post.field("name") } };
    }),
    add: named(async (post) => {
      const input = { name: post.field("name"), credential: post.field("credential") };
      const recoveryCodes = await addPasskey(post.session.user.id, input, post.options);
      if (recoveryCodes) return { errors: {}, status: 200, answer: { recoveryCodes } };
      return { to: paths.secondFactor, text: "Passkey added" };
    }),
  },
});

export { default } from "./page.static";
