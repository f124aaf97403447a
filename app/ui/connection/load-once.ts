/**
 * Returns a function that loads a module at its first call. One that could not be loaded stays failed in its document,
 * so later calls fail without asking for it.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => (loading ??= load());
}
