/** Longest time in ms that files are drawn before everything else gets a turn. */
const turnMs = 2;

const waiting: (() => void)[] = [];

/**
 * Waits for the next turn of drawing. The event loop runs once between two turns, whichever files they
 * belong to, so that many files delay a request no more than one does.
 * @returns whether the turn is over; to be asked after each step
 */
export async function drawingTurn(): Promise<() => boolean> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startNext);
  });
  const end = performance.now() + turnMs;
  return () => performance.now() >= end;
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}
