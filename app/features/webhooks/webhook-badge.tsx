// Without script: the same.
import { Badge, type Tone } from "../../ui/feedback/badge";
import { deliveryStateLabels, type DeliveryState } from "./webhook";
import type { WebhookState } from "./webhook-view";

const tones: Record<DeliveryState, Tone> = { pending: "info", delivered: "ok", failed: "bad" };

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  return <Badge tone={tones[state]}>{deliveryStateLabels[state]}</Badge>;
}

const states: Record<WebhookState, [label: string, tone: Tone]> = {
  enabled: ["Enabled", "ok"],
  failing: ["Failing", "bad"],
  disabled: ["Disabled", "off"],
};

export function WebhookBadge({ state }: { state: WebhookState }) {
  const [label, tone] = states[state];
  return <Badge tone={tone}>{label}</Badge>;
}
