let open = 0;

/** A modal is over the page and looks after the focus. */
export function isDialogOpen(): boolean {
  return open > 0;
}

/** Called when a modal opens; the answer is called when it closes. */
export function registerOpenDialog(): () => void {
  open += 1;
  return () => {
    open -= 1;
  };
}
