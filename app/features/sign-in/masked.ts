/** Replaces all but the last 4 characters by dots, as API keys and user ids are shown. */
export function masked(lastFour: string): string {
  return `••••••••${lastFour.slice(-4)}`;
}
