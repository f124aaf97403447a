/** Tells whether a field within an element differs from what it was when the page was shown. */
export function hasUnsavedInput(within: string): boolean {
  const fields = document.querySelectorAll<
    HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  >(`${within} :is(input, textarea, select)`);
  return [...fields].some((field) => {
    if (field instanceof HTMLSelectElement) {
      const initial = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(0, initial);
    }
    const isTicked = "checked" in field && field.checked !== field.defaultChecked;
    return isTicked || field.value !== field.defaultValue;
  });
}
