import { serialOfSegment } from "../paths";

/**
 * Returns the serial number in `/app/machines/{serial}…`. It is read from the URL itself, because
 * the router's parameter turns the text '%2F' into a slash.
 */
export function machineOfAddress({ url }: Request): string {
  return serialOfSegment(new URL(url).pathname.split("/")[3] ?? "");
}

/**
 * Returns the serial numbers that a parameter of the API's paths may mean, the likeliest first. Clients
 * of the API encode a serial number plainly; only '.' and '..' need a '~' before them.
 */
export function machinesOfParam(serialNumber: string): string[] {
  return [...new Set([serialNumber, serialOfSegment(encodeURIComponent(serialNumber))])];
}
