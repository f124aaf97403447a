/** The pages of this document in the session's history, in which the router numbers its entries. */

/** Addresses of the pages shown, by their positions. */
const addresses: string[] = [];

/** Back moves the browser before the page is loaded. */
let shownIndex = 0;

let isGoingBack = false;

/** Called after each navigation. */
export function notePageShown(): void {
  shownIndex = browserIndex();
  addresses[shownIndex] = location.pathname + location.search;
  isGoingBack = false;
}

/** Returns by how many entries the browser is ahead of the page shown. */
export function stepsAhead(): number {
  return browserIndex() - shownIndex;
}

/**
 * Goes back to an address if it is that of the entry before.
 * @returns whether it does, or is about to
 */
export function goBackTo(address: string): boolean {
  if (isGoingBack) return true;
  if (stepsAhead() !== 0 || addresses[shownIndex - 1] !== address) return false;
  isGoingBack = true;
  history.back();
  return true;
}

function browserIndex(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}
