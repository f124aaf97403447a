import { serialOfSegment } from "../paths";

/**
 * The serial number in `/app/machines/{serial}…`. Read from the address itself, because the
 * parameter that the router makes of it takes the text '%2F' for a slash.
 */
export function machineOfAddress({ url }: Request): string {
  return serialOfSegment(segmentOf(url));
}

/**
 * The serial numbers that `/api/machine/{serial}/…` may mean, the likeliest first. Clients of the
 * API encode a serial number plainly; only '.' and '..' can't come that way and have a '~' before.
 */
export function machinesOfApiAddress({ url }: Request): string[] {
  const segment = segmentOf(url);
  return [...new Set([decodeURIComponent(segment), serialOfSegment(segment)])];
}

function segmentOf(url: string): string {
  return new URL(url).pathname.split("/")[3] ?? "";
}
