// Without script: the same.
import { Badge, type Tone } from "../../ui/feedback/badge";
import { deliveryStateLabels, type DeliveryState } from "./webhook";

const tones: Record<DeliveryState, Tone> = { pending: "info", delivered: "ok", failed: "bad" };

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  return <Badge tone={tones[state]}>{deliveryStateLabels[state]}</Badge>;
}

export function WebhookBadge({ isEnabled }: { isEnabled: boolean }) {
  return <Badge tone={isEnabled ? "ok" : "off"}>{isEnabled ? "Enabled" : "Disabled"}</Badge>;
}
