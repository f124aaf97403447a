import { serialOfSegment } from "../paths";

/**
 * Returns the serial number in `/app/machines/{serial}…`. It is read from the URL itself, because
 * the router's parameter turns the text '%2F' into a slash.
 */
export function machineOfAddress({ url }: Request): string {
  return serialOfSegment(segmentOf(url));
}

/**
 * Returns the serial numbers that `/api/machine/{serial}/…` may mean, the likeliest first. Clients
 * of the API encode a serial number plainly; only '.' and '..' need a '~' before them.
 */
export function machinesOfApiAddress({ url }: Request): string[] {
  const segment = segmentOf(url);
  return [...new Set([decodeURIComponent(segment), serialOfSegment(segment)])];
}

function segmentOf(url: string): string {
  return new URL(url).pathname.split("/")[3] ?? "";
}
