declare module "scheduler" {
  /** Sets how long React works before the browser gets its turn: 1,000 ms / `fps`, from 1 to 125; 0 is the default of 5 ms. */
  export function unstable_forceFrameRate(fps: number): void;
}
