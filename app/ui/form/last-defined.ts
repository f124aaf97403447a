import { useRef } from "react";

/** Returns a value, or the last one that was not undefined. */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
