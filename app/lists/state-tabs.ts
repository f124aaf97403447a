/**
 * The states of a list as tabs above it, the first of which shows `all`. The other filter of the list stays as it is.
 * @param current the chosen state; null for the first tab
 */
export function stateTabs(
  path: string,
  { all = "All", states }: { all?: string; states: Record<string, string> },
  { state: current, kind = null }: { state: string | null; kind?: string | null },
) {
  const tab = (state: string | null, label: string) => {
    const params = new URLSearchParams({ ...(state && { state }), ...(kind && { kind }) });
    const to = params.size > 0 ? `${path}?${params}` : path;
    return { to, label, isCurrent: state === current };
  };
  return [tab(null, all), ...Object.entries(states).map(([state, label]) => tab(state, label))];
}
