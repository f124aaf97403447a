import type { IconName } from "../icon/icon";

/** The `handle` of a page for people who are not signed in: it is never hydrated. */
export const publicHandle = {
  hydrate: false,
  icons: ["qr-generation", "alert", "info"] satisfies IconName[],
};
