export const endedLinkMessage = "This link was already used or has expired. Ask for a new one.";
