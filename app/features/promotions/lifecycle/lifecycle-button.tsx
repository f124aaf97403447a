// Without script: a plain form. With it: the page stays, and the button says how it went.
import { PostButton } from "../../../ui/form/post-button";

const pendingLabels = { deactivate: "Deactivating...", reactivate: "Reactivating..." };

/** Posts an action on what the page is about to the page's own address. */
export function LifecycleButton({
  intent,
  ...button
}: {
  intent: keyof typeof pendingLabels;
  isMenuItem?: boolean;
  variant?: "default" | "primary";
  children: string;
}) {
  return <PostButton intent={intent} pendingLabel={pendingLabels[intent]} {...button} />;
}
