/**
 * Starts a timer while the tab is visible, and anew when a hidden one is shown again.
 * @returns ends it
 */
export function startVisibleTimer(run: () => void, delayMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function restart() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(run, delayMs);
  }
  restart();
  document.addEventListener("visibilitychange", restart);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", restart);
  };
}
