/** The `handle` of a page for people who are not signed in: it is never hydrated. */
export const publicHandle = { hydrate: false };
