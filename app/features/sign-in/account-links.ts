/** An address is also confirmed by the link for a new password. */
export const endedVerificationMessage =
  "It was already used or has expired. If you have confirmed your address, sign in. If not, set a new password: that confirms it, too.";

export const endedLinkMessage = "This link was already used or has expired. Ask for a new one.";
