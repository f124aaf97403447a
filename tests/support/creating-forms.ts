import type { Validator } from "remix-validated-form";

/** A form that creates something that has a name, from a page whose address holds no id. */
export type CreatingForm = {
  /** The route of its action. */
  route: string;
  path: string;
  /** Module with the rules that browsers check; tests load it only when they ask for it. */
  validator: () => Promise<Validator<unknown>>;
  /** Values of the fields besides the name. */
  fields?: Record<string, string>;
  button: string;
  /** Message on the page that follows. */
  done: string;
  /** Entry of the audit log, with the name in its details. */
  action: string;
};

/**
 * Read by the walk through all actions, the test of every form and the test of lost answers. Forms that take more steps
 * have a case in each.
 */
export const creatingForms: Record<string, CreatingForm> = {
  "an integration": {
    route: "routes/app.integrations",
    path: "/app/integrations",
    validator: async () =>
      (await import("../../app/features/integrations/integration")).integrationValidator,
    button: "Create integration",
    done: "Integration successfully created",
    action: "integration.created",
  },
  "a machine group": {
    route: "routes/app.machine-groups_.new",
    path: "/app/machine-groups/new",
    validator: async () =>
      (await import("../../app/features/machines/machine-groups-forms")).newGroupValidator,
    fields: { kind: "site" },
    button: "Create group",
    done: "Machine group successfully created",
    action: "machine_group.created",
  },
};
