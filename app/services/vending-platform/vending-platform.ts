/** A machine as the platform lists it, checked. */
export type PlatformMachine = {
  /** Trimmed, 1 to 100 characters that can be seen; compared exactly, capitals and all. */
  serialNumber: string;
  /** At most 200 characters; the serial number where the platform gives none. */
  humanName: string;
  /** null: the platform says nothing about it, or nothing that can be read. */
  lastSeen: Date | null;
};

export type PlatformListing = {
  /** Each serial number once, in the platform's order. */
  machines: PlatformMachine[];
  /** Number of unusable items, and the first ten in words that are safe to show. */
  badItems: { count: number; examples: string[] };
  /** Serial numbers that only bad items carry: such a machine is listed, whatever is wrong with it. */
  unclear: string[];
};

/** The vending platform that the machines come from, 'SmartVend' to people. */
export type VendingPlatform = {
  /** @throws PlatformError when there is no complete list */
  listMachines(): Promise<PlatformListing>;
};

const failureMessages = {
  unreachable: "SmartVend can't be reached.",
  too_slow: "SmartVend takes too long to answer.",
  too_large: "SmartVend's list is too large.",
  unreadable: "Invalid data format received from SmartVend.",
};
export type PlatformFailure = keyof typeof failureMessages | "refused";

/** Why there is no list. Nothing of what the platform has sent is in it but a status. */
export class PlatformError extends Error {
  override name = "PlatformError";

  /** @param status of the answer if the reason is `refused` */
  constructor(
    readonly reason: PlatformFailure,
    readonly status: number | null = null,
  ) {
    super(failureMessage(reason, status));
  }
}

export function failureMessage(reason: PlatformFailure, status: number | null): string {
  if (reason !== "refused") return failureMessages[reason];
  if (status === 401 || status === 403)
    return `SmartVend doesn't accept the API key (status ${status}).`;
  return status !== null && status >= 300 && status < 400
    ? `SmartVend answers with a redirect (status ${status}), which is not followed.`
    : `SmartVend answers with an error (status ${status}).`;
}
