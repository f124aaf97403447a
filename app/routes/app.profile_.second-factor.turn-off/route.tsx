import {
  hasAuthenticatorApp,
  hasSecondFactor,
  removeSecondFactor,
  requireOptionalSecondFactor,
} from "../../features/second-factor/second-factor.server";
import { listPasskeys } from "../../features/second-factor/passkeys.server";
import { answered } from "../../forms/question";
import { countOf } from "../../format/number";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireUserBeforeSetUp,
  asksPassword: true,
  async ask(_args, { user }) {
    const { length: passkeys } = await listPasskeys(user.id);
    const factors = [
      (await hasAuthenticatorApp(user.id)) ? "authenticator app" : [],
      passkeys > 0 ? countOf(passkeys, "passkey") : [],
    ].flat();
    const question = {
      title: "Confirm turning off",
      question: "Turn off two-step verification?",
      consequences: [`Your ${factors.join(", ")} and your recovery codes are removed.`],
      verb: "Turn off two-step verification",
      pendingVerb: "Turning off...",
      isDangerous: true,
      closeTo: paths.secondFactor,
      failure: "Error turning off two-step verification",
    };
    return (await hasSecondFactor(user.id))
      ? question
      : answered(question, "Two-step verification is already off.");
  },
  async run({ session: { user }, options }) {
    requireOptionalSecondFactor(user.role);
    await removeSecondFactor(user.id, options);
    return { to: paths.secondFactor, text: "Two-step verification is off" };
  },
});
export { action, loader };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
