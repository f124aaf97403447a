// Without script: the same.
import { Badge, type Tone } from "../../ui/feedback/badge";
import type { MachineActivity } from "./machine";

const tones: Record<MachineActivity, Tone> = {
  High: "ok",
  Medium: "info",
  Low: "warn",
  Inactive: "off",
};

export function ActivityBadge({ activity }: { activity: MachineActivity }) {
  return <Badge tone={tones[activity]}>{activity}</Badge>;
}
