/** A vending machine, as the platform tells of it and the product uses it (core §3). */
export type Machine = {
  id: string;
  serialNumber: string;
  humanName: string;
  /** When a code was last used there: 'Last active' (rulings 4.5). */
  lastQrUsed: Date | null;
  /** Codes with status active that it accepts, as last counted (rulings 4.4). */
  activePromotions: number;
  /** No longer listed by the platform: 'Deleted from SmartVend'. */
  isDeleted: boolean;
};

/** A machine that can be assigned: never a deleted one. */
export type MachineChoice = Pick<Machine, "serialNumber" | "humanName">;

export type MachineActivity = "High" | "Medium" | "Low" | "Inactive";

/** core §4, §9: above 10 High, 5 to 10 Medium, 1 to 4 Low, 0 Inactive. */
export function machineActivity(activePromotions: number): MachineActivity {
  if (activePromotions > 10) return "High";
  if (activePromotions >= 5) return "Medium";
  return activePromotions >= 1 ? "Low" : "Inactive";
}
