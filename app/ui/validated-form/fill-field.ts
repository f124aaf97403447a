export type TextControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fills a field as typing would, so that an error shown at the field disappears. */
export function fillField(control: TextControl, value: string): void {
  if (control.value === value) return;
  // React would not notice an ordinary assignment.
  const prototype = Object.getPrototypeOf(control) as TextControl;
  Object.getOwnPropertyDescriptor(prototype, "value")!.set!.call(control, value);
  control.dispatchEvent(new Event("input", { bubbles: true }));
  if (control instanceof HTMLSelectElement)
    control.dispatchEvent(new Event("change", { bubbles: true }));
}
