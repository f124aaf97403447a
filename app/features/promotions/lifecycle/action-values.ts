import type { CampaignTimes } from "../schedule";

/** A part that is left out stays as it is. */
export type ChangedTimes = Partial<CampaignTimes>;

/** Values that an action needs, as they are bound in its SQL and stored with an operation. */
export type ActionValues = {
  /** YYYY-MM-DD in the site's zone. */
  lastDay: string | null;
  name: string | null;
  /** Null keeps the start and the hours. */
  times: ChangedTimes | null;
  /** Serial numbers of machines and names of groups, and their ids as PostgreSQL writes an array. */
  machines: readonly string[];
  machineIds: string;
  groups: readonly string[];
  groupIds: string;
  /** Sets that changed as a whole before their codes follow, as PostgreSQL writes an array. */
  wholeSets: string;
  /** Sets with higher ids were copied after that. */
  lastSet: string | null;
};

/** Lists of ids stay text that PostgreSQL wrote: 100,000 ids never become objects here. */
export const noIds = "{}";

export function parseIds(ids: string): string[] {
  return ids === noIds ? [] : ids.slice(1, -1).split(",");
}

export const noValues: ActionValues = {
  lastDay: null,
  name: null,
  times: null,
  machines: [],
  groups: [],
  machineIds: noIds,
  groupIds: noIds,
  wholeSets: noIds,
  lastSet: null,
};
