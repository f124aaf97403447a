/** Codes that were added to a campaign later, of which archive and labels can be had alone. */
import { formatDateTime } from "../../format/date";
import { formatCodes } from "../../format/promotion";

export type AddedCodes = {
  id: string;
  /** Places in the archive, from 1. */
  from: number;
  to: number;
  createdAt: Date;
};

export function countAdded({ from, to }: Pick<AddedCodes, "from" | "to">): number {
  return to - from + 1;
}

/** 'The 500 codes added on 26.11.2026, 14:02' */
export function describeAdded(added: AddedCodes, timeZone: string): string {
  const count = countAdded(added);
  return `The ${count === 1 ? "code" : formatCodes(count)} added on ${formatDateTime(added.createdAt, timeZone)}`;
}
