/** A machine as the platform lists it, checked. */
export type PlatformMachine = {
  /** Trimmed, 1 to 100 characters that can be seen; compared exactly, capitals and all. */
  serialNumber: string;
  /** At most 200 characters; the serial number where the platform gives none. */
  humanName: string;
  /** null: the platform says nothing about it, or nothing that can be read. */
  lastSeen: Date | null;
};

/** One complete list of the platform. */
export type PlatformListing = {
  /** Each serial number once, in the platform's order. */
  machines: PlatformMachine[];
  /**
   * Items that can't be taken as they are: how many, and the first ten in words that are safe to
   * show.
   */
  badItems: { count: number; examples: string[] };
  /** Serial numbers that only bad items carry: such a machine is listed, whatever is wrong with it. */
  unclear: string[];
};

/** The vending platform that the machines come from, 'SmartVend' to people. */
export type VendingPlatform = {
  /** @throws PlatformError when there is no complete list */
  listMachines(): Promise<PlatformListing>;
};

export type PlatformFailure = "unreachable" | "too_slow" | "refused" | "too_large" | "unreadable";

/** Why there is no list. Nothing of what the platform has sent is in it but a status. */
export class PlatformError extends Error {
  readonly reason: PlatformFailure;
  /** The status of the answer if the reason is `refused`. */
  readonly status: number | null;

  constructor(reason: PlatformFailure, status: number | null = null) {
    super(failureMessage(reason, status));
    this.name = "PlatformError";
    this.reason = reason;
    this.status = status;
  }
}

/** For people: what is wrong, in one sentence. */
export function failureMessage(reason: PlatformFailure, status: number | null): string {
  switch (reason) {
    case "unreachable":
      return "SmartVend can't be reached.";
    case "too_slow":
      return "SmartVend takes too long to answer.";
    case "too_large":
      return "SmartVend's list is too large.";
    case "unreadable":
      return "SmartVend's answer can't be read.";
    case "refused":
      if (status === 401 || status === 403)
        return `SmartVend doesn't accept the API key (status ${status}).`;
      if (status !== null && status >= 300 && status < 400)
        return `SmartVend answers with a redirect (status ${status}), which is not followed.`;
      return `SmartVend answers with an error (status ${status}).`;
  }
}
