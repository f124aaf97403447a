/** The dialogs of the page about modals: their titles, words and buttons. */
export const dialogs = {
  live: {
    link: "Live demo",
    title: "Use the location service?",
    verb: "Agree",
    cancel: "Disagree",
  },
  scroll: { link: "Scrolling content", title: "Terms", verb: "Subscribe", cancel: "Cancel" },
  sm: { link: "Small size (sm)", title: "A small dialog", verb: null, cancel: "Close" },
  xl: { link: "Extra large size (xl)", title: "A wide dialog", verb: null, cancel: "Close" },
  form: { link: "With a form", title: "Subscribe", verb: "Subscribe", cancel: "Cancel" },
  grid: { link: "With a grid", title: "A grid in a dialog", verb: null, cancel: "Close" },
} as const;

export type DialogName = keyof typeof dialogs;

export const modalPath = "/app/ui/modal";

export function isDialogName(name: string | undefined): name is DialogName {
  return name !== undefined && Object.hasOwn(dialogs, name);
}
