/**
 * Returns a function that makes a value when it is first called, and keeps it. Charts of fixed numbers need it: to
 * draw one takes 10 to 20 ms of the processor.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
