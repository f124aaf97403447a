import { previewRemoval, removePasskey } from "../../features/second-factor/remove-passkeys.server";
import { isSecondFactorRequired } from "../../features/second-factor/second-factor.server";
import { answered } from "../../forms/question";
import { orList } from "../../http/answers.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireUserBeforeSetUp,
  asksPassword: true,
  async ask({ params: { passkeyId = "" } }, session) {
    const preview = previewRemoval(session.user.id, passkeyId);
    const { name, isLastFactor } = await orList(session, paths.secondFactor, preview);
    const question = {
      title: "Confirm removal",
      question: `Remove the passkey "${name}"?`,
      consequences: [
        isLastFactor
          ? "Without it, two-step verification is turned off, and your recovery codes are removed."
          : "This passkey can no longer be used to sign in. This can't be undone.",
      ],
      verb: "Remove passkey",
      pendingVerb: "Removing...",
      isDangerous: true,
      closeTo: paths.secondFactor,
      failure: "Error removing passkey",
    };
    return isLastFactor && isSecondFactorRequired(session.user.role)
      ? answered(
          question,
          "Without it, two-step verification is turned off, and your site requires it.",
        )
      : question;
  },
  async run({ params: { passkeyId = "" }, session, options }) {
    await removePasskey(session.user, passkeyId, options);
    return { to: paths.secondFactor, text: "Passkey removed" };
  },
  gone: { to: paths.secondFactor, text: "This passkey is already removed." },
});
export { action, loader };

export const handle = { crumbs: { remove: "Remove passkey" } };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
