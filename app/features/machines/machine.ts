import { isLongerThan, isStorableText } from "../../forms/storable-text";

/** A vending machine, as the platform lists it and the product uses it. */
export type Machine = {
  id: string;
  serialNumber: string;
  humanName: string;
  /** When a code was last used there: 'Last active'. */
  lastQrUsed: Date | null;
  /** Whether that is 24 hours ago, or never was. */
  isSilent: boolean;
  /** The number of active codes that it accepts, as last counted. */
  activePromotions: number;
  /** Whether the platform no longer lists it, or an admin has marked it so: then it accepts no codes. */
  isDeleted: boolean;
};

/** A machine that can be assigned: never a deleted one. */
export type MachineChoice = Pick<Machine, "serialNumber" | "humanName">;

/** Buttons of the page of a machine that no platform lists. None is `restoreIntent`. */
export const machineIntents = { remove: "delete", restore: "undelete" } as const;

export type MachineActivity = "High" | "Medium" | "Low" | "Inactive";

/** The classes by their parameter, the busiest first. */
export const activityLabels = {
  high: "High",
  medium: "Medium",
  low: "Low",
  inactive: "Inactive",
} as const;

/** Classifies a machine: above 10 High, 5 to 10 Medium, 1 to 4 Low, 0 Inactive. */
export function machineActivity(activePromotions: number): MachineActivity {
  if (activePromotions > 10) return "High";
  if (activePromotions >= 5) return "Medium";
  return activePromotions >= 1 ? "Low" : "Inactive";
}

/** Whether a text can be compared with serial numbers. */
export function canBeSerial(text: string): boolean {
  return text !== "" && isStorableText(text) && !isLongerThan(text, 100);
}

/** Whether a new machine may have the text as its serial number: as on the platform, no two machines look alike. */
export function canBeNewSerial(text: string): boolean {
  return canBeSerial(text) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
}
