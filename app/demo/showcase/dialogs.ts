/** The dialogs of the page about modals: what is said about them, their titles and their buttons. */
export const dialogs = {
  live: {
    link: "Live demo",
    about: "A question with two answers. The next page tells which one was given.",
    title: "Use the location service?",
    verb: "Agree",
    cancel: "Disagree",
  },
  scroll: {
    link: "Scrolling content",
    about: "Text that is longer than the window scrolls within the dialog.",
    title: "Terms",
    verb: "Subscribe",
    cancel: "Cancel",
  },
  sm: {
    link: "Small size (sm)",
    about: "As wide as a short question needs.",
    title: "A small dialog",
    verb: null,
    cancel: "Close",
  },
  xl: {
    link: "Extra large size (xl)",
    about: "Room for a table, or for two columns.",
    title: "A wide dialog",
    verb: null,
    cancel: "Close",
  },
  form: {
    link: "With a form",
    about: "A field and its button. What is typed stays when the server rejects it.",
    title: "Subscribe",
    verb: "Subscribe",
    cancel: "Cancel",
  },
  grid: {
    link: "With a grid",
    about: "Content in columns, as many as there is room for.",
    title: "A grid in a dialog",
    verb: null,
    cancel: "Close",
  },
} as const;

export type DialogName = keyof typeof dialogs;

/** Names of the dialogs for the breadcrumb. */
export const dialogCrumbs = Object.fromEntries(
  Object.entries(dialogs).map(([name, { title }]) => [name, title]),
);

export const modalPath = "/app/ui/modal";

export function isDialogName(name: string | undefined): name is DialogName {
  return name !== undefined && Object.hasOwn(dialogs, name);
}
