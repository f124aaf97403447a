import { paths } from "../../../paths";

/** Texts and addresses of 'Manage Machines' for one kind of owner. */
export type DialogView = {
  title: string;
  /** Name of the form. */
  form: string;
  /** Asked before everything is unassigned. */
  question: string;
  none: string;
  allDeleted: string;
  ownerDeleted: string;
  path: (ownerId: string) => string;
  closeTo: (ownerId: string) => string;
  /** Id of the control that opened the dialog. */
  trigger: (ownerId: string) => string;
  canRefresh: boolean;
};

export const dialogViews: Record<"promotion" | "mass_generation", DialogView> = {
  promotion: {
    title: "Manage Machines",
    form: "Machines of this promotion",
    question: "Are you sure you want to unassign all machines from this promotion?",
    none: "No machine assigned: no machine accepts this code.",
    allDeleted: "Every assigned machine is deleted from SmartVend: no machine accepts this code.",
    ownerDeleted: "This promotion is deleted. Its machines can't be changed.",
    path: paths.promotionMachines,
    closeTo: () => paths.qrList,
    trigger: (ownerId) => `machines-${ownerId}`,
    canRefresh: true,
  },
  mass_generation: {
    title: "Machines and groups",
    form: "Machines of this mass generation",
    question: "Are you sure you want to unassign all machines from this mass generation?",
    none: "No machine assigned: no machine accepts these codes.",
    allDeleted: "Every assigned machine is deleted from SmartVend: no machine accepts these codes.",
    ownerDeleted: "This mass generation is deleted. Its machines can't be changed.",
    path: paths.generationMachines,
    closeTo: paths.generation,
    trigger: () => "generation-machines",
    canRefresh: false,
  },
};
