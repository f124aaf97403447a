// Without script: the same.
import { Badge, type Tone } from "../../ui/feedback/badge";
import { mailStateLabels, type MailState } from "./mail";

const tones: Record<MailState, Tone> = { pending: "info", sent: "ok", failed: "bad" };

export function MailBadge({ state }: { state: MailState }) {
  return <Badge tone={tones[state]}>{mailStateLabels[state]}</Badge>;
}
