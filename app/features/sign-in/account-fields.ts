import { emailText, shortText } from "../../forms/fields";

/** What people say of themselves when they sign up, and admins of others. */
export const accountFields = {
  firstName: shortText(100),
  lastName: shortText(100),
  email: emailText,
};
