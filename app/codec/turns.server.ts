/** Makes a queue whose tasks begin one in each turn of the event loop, so that other requests are read between them. */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const startNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(startNext);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(startNext);
    });
}

/** Longest time in ms that files are made before everything else gets a turn. */
const turnMs = 2;

const nextFile = createTurns();

/**
 * Waits for the next turn of making a file. The event loop runs once between two turns, whichever files they
 * belong to, so that many files delay a request no more than one does.
 * @returns whether the turn is over; to be asked after each step
 */
export async function drawingTurn(): Promise<() => boolean> {
  await nextFile();
  const end = performance.now() + turnMs;
  return () => performance.now() >= end;
}
