/** Machine groups and their kinds. */
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
};

/** Numbers of promotions and generations that a group is assigned to. */
export type GroupUse = {
  /** Single promotions, and codes of generations with a set of their own. */
  promotions: number;
  generations: number;
  /** Codes of those generations. */
  codes: number;
};

/** Counts of what a deletion removes a group from, deleted promotions and generations included. */
export type Unassigned = GroupUse & {
  /** Those that nothing else is assigned to: no machine accepts them afterwards. */
  unassignedAfter: GroupUse;
};

/** A group that something can be assigned to. */
export type GroupChoice = {
  id: string;
  name: string;
  kind: GroupKind;
  /** Those that the platform lists. */
  machineCount: number;
};
