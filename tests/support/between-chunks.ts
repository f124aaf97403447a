/** Options of an action on codes that runs something once, between its first chunk of two codes and the second. */
export function between(work: () => Promise<unknown>) {
  let isDone = false;
  const afterChunk = async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
  return { codesPerChunk: 2, afterChunk };
}
