// Without script: the same.
import { Badge } from "../../ui/feedback/badge";
import { stateLabels, type UserState } from "./managed-user";

const tones = { active: "ok", invited: "info", unverified: "warn", disabled: "off" } as const;

export function UserStateBadge({ state }: { state: UserState }) {
  return <Badge tone={tones[state]}>{stateLabels[state]}</Badge>;
}
