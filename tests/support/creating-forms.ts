/** A form that creates something that has a name, from a page whose address holds no id. */
export type CreatingForm = {
  /** The route of its action. */
  route: string;
  path: string;
  /** Values of the fields besides the name that may not stay as they are shown. */
  fields?: Record<string, string>;
  button: string;
  /** Message on the page that follows. */
  done: string;
  /** What it adds to the audit log, with the name in its details. */
  action: string;
};

/** Read by the walk through all actions and by the test of lost answers; forms that take more steps are cases there. */
export const creatingForms: Record<string, CreatingForm> = {
  "an integration": {
    route: "routes/app.integrations",
    path: "/app/integrations",
    button: "Create integration",
    done: "Integration successfully created",
    action: "integration.created",
  },
  "a machine group": {
    route: "routes/app.machine-groups_.new",
    path: "/app/machine-groups/new",
    fields: { kind: "site" },
    button: "Create group",
    done: "Machine group successfully created",
    action: "machine_group.created",
  },
};
