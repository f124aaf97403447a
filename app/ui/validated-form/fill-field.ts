/** Fills a field as typing would, so that an error shown at the field disappears. */
export function fillField(input: HTMLInputElement, value: string): void {
  if (input.value === value) return;
  // React would not notice an ordinary assignment.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
