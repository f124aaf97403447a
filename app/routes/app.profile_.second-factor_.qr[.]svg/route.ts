import { qrSvg } from "../../codec/qr-image.server";
import { setUpSecondFactor } from "../../features/second-factor/second-factor.server";
import { screenLoader } from "../../http/answers.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";

/** The key of a second factor that is being set up, for an authenticator app. */
export const loader = screenLoader(requireUserBeforeSetUp, async (_args, { user }) => {
  const { uri } = await setUpSecondFactor(user);
  return new Response(new Uint8Array(qrSvg(uri)), {
    headers: { "Content-Type": "image/svg+xml", "Cache-Control": "private, no-store" },
  });
});
