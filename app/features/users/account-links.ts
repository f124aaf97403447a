export const endedLinkMessage = "This link was used already, or it has ended. Ask for a new one.";
