let hydrated = false;

/** False on the server and while the first document is being adopted, so that both render the same. */
export function isHydrated(): boolean {
  return hydrated;
}

/** Called once by the root, after its first effect. */
export function markHydrated(): void {
  hydrated = true;
}
