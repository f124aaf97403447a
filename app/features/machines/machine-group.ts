/** What a group of machines stands for. */
export const groupKinds = ["site", "route", "customer", "other"] as const;
export type GroupKind = (typeof groupKinds)[number];

export const groupKindLabels: Record<GroupKind, string> = {
  site: "Site",
  route: "Route",
  customer: "Customer",
  other: "Other",
};

/** Machines that are assigned as one: who joins later accepts what the others do. */
export type MachineGroup = {
  id: string;
  name: string;
  kind: GroupKind;
  /** Moves when name or kind change; an edit names the one it saw. */
  version: number;
  createdAt: Date;
  /** `deleted`: those that the platform no longer lists. They count for nothing. */
  machines: { live: number; deleted: number };
  /** What it is assigned to, without what is deleted. */
  assigned: {
    /** Singles, and codes of mass generations with machines of their own. */
    promotions: number;
    generations: number;
    /** Of those generations. */
    codes: number;
  };
};

/** A group that something can be assigned to. */
export type GroupChoice = {
  id: string;
  name: string;
  kind: GroupKind;
  /** Those that the platform lists. */
  machineCount: number;
};
