/** Messages about links that have ended, which somebody sees, too, who got no answer to their use. */

/** An address is also confirmed by the link for a new password. */
export const endedVerificationMessage =
  "It was already used or has expired. If you have confirmed your address, sign in. If not, set a new password: that confirms it, too.";

export const endedResetMessage =
  "This link was already used or has expired. If you have set a password with it, sign in. If not, ask for a new one.";

export const endedInvitationMessage =
  "This link was already used or has expired. If you have chosen a password, sign in. If not, ask an admin to send the invitation again.";

export const endedUndoMessage =
  "This link was already used or has expired. If you have restored your address, we have mailed you a link to set a new password.";
