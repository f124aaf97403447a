/** What 'Manage Machines' says of what it is about. */
export type DialogView = {
  /** Names the form. */
  form: string;
  /** Before everything is unassigned. */
  question: string;
  /** Where nothing is assigned. */
  none: string;
  /** Where all that is assigned is deleted. */
  allDeleted: string;
};

export const promotionDialogView: DialogView = {
  form: "Machines of this promotion",
  question: "Are you sure you want to unassign all machines from this promotion?",
  none: "No machine assigned: no machine accepts this code.",
  allDeleted: "Every assigned machine is deleted from SmartVend: no machine accepts this code.",
};

export const generationDialogView: DialogView = {
  form: "Machines of this mass generation",
  question: "Are you sure you want to unassign all machines from this mass generation?",
  none: "No machine assigned: no machine accepts these codes.",
  allDeleted: "Every assigned machine is deleted from SmartVend: no machine accepts these codes.",
};
