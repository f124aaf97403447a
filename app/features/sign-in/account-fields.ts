import { emailText, shortText } from "../../forms/fields";

/** Fields of an account that people fill in when they sign up, and admins for others. */
export const accountFields = {
  firstName: shortText(100),
  lastName: shortText(100),
  email: emailText,
};
