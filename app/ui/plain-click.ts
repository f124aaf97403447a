/** Tells whether a click on a link opens it here, not in another tab or window. */
export function isPlainClick(
  click: Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">,
): boolean {
  return !(click.button || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey);
}
