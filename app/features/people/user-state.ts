/** Whether a user can sign in, and why not. */
import type { ManagedUser } from "./managed-user";

export const stateLabels = {
  active: "Active",
  invited: "Invited",
  unverified: "Not verified",
  disabled: "Disabled",
};
export type UserState = keyof typeof stateLabels;

/**
 * Returns 'invited' until an invitation is accepted, 'unverified' until the address of a sign-up is verified, and
 * 'disabled' whatever else holds. Only active users can sign in.
 */
export function userState({
  isDisabled,
  hasPassword,
  isVerified,
}: Pick<ManagedUser, "isDisabled" | "hasPassword" | "isVerified">): UserState {
  if (isDisabled) return "disabled";
  if (!hasPassword) return "invited";
  return isVerified ? "active" : "unverified";
}
