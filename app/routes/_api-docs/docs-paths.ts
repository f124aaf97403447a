/** Addresses of the documentation, which few screens link to. */
export const docsPaths = {
  webhooks: "/api/docs/webhooks",
  calls: "/api/docs/calls",
  callGroup: (group: string) => `/api/docs/calls/${group}`,
};
