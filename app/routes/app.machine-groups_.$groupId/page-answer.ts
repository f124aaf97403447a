import type { Picker } from "../../features/assignments/targets";
import type { Pasted } from "../../features/machines/group-members.server";
import type { FieldErrors } from "../../forms/validator";

/** What a post to a group's page comes back with when it leads nowhere else. */
export type PageAnswer = {
  fieldErrors?: FieldErrors;
  /** Of the form that the errors are about. */
  formId?: string | undefined;
  repopulateFields?: unknown;
  /** What stays in the box for serial numbers. */
  serials?: string | undefined;
  /** What became of what was in it. */
  pasted?: Pasted | undefined;
  pickers?: Picker[] | undefined;
  /** Of the group as the edit form has seen it; null where that has to be the present one. */
  version?: string | null | undefined;
  /** Why nothing was removed, and what was ticked. */
  removal?: string | undefined;
  ticked?: string[];
};
