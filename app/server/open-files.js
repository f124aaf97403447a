/** A start needs about 100: libraries, the database and the files of the build. */
export const minOpenFiles = 256;

/** Returns how many files and connections the process may hold open at once (`ulimit -n`). */
export function openFilesLimit() {
  // Names of the other ends of connections would be looked up.
  Object.assign(process.report, { excludeNetwork: true });
  const report = /** @type {any} */ (process.report.getReport());
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Infinity;
}
