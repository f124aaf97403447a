// Without script: the same.
import { Badge } from "../../ui/feedback/badge";
import { stateLabels, type UserState } from "./user-state";

const tones = { active: "ok", invited: "info", unverified: "warn", disabled: "off" } as const;

export function UserStateBadge({ state }: { state: UserState }) {
  return <Badge tone={tones[state]}>{stateLabels[state]}</Badge>;
}
