/** The forms of the Integrations screens, for browser and server alike. */
import * as z from "zod/mini";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { formValidator } from "../../forms/validator";
import { integrationNameError } from "./integration";

/** What people choose from, in days; the last is the longest that there is (security T16). */
export const keyDays = { "30": "30 days", "90": "90 days", "180": "180 days", "365": "1 year" };

const text = z._default(z.string(), "");
/** A form that was posted after the session had ended comes back as it was (rulings 2.2). */
const isRestored = ({ intent }: Record<string, unknown>) => intent === "restore";

function problem(field: string, message: string, input: unknown) {
  return { code: "custom" as const, message, path: [field], input };
}

export const integrationValidator = formValidator(
  ["name", "intent"],
  z.pipe(
    z.object({ name: text }),
    z.transform((posted: { name: string }, context): { name: string } => {
      const name = posted.name.trim();
      const wrong = integrationNameError(name);
      if (wrong === null) return { name };
      context.issues.push(problem("name", wrong, posted));
      return z.NEVER;
    }),
  ),
  isRestored,
);

export type KeyFormValues = {
  /** Null: any machine. */
  machineSerial: string | null;
  days: number;
};

export const keyValidator = formValidator(
  ["machine", "days", "intent"],
  z.pipe(
    z.object({ machine: text, days: text }),
    z.transform((posted: { machine: string; days: string }, context): KeyFormValues => {
      const machine = posted.machine.trim();
      const isPossible = isStorableText(machine) && !isLongerThan(machine, 100);
      if (!isPossible) context.issues.push(problem("machine", "There is no such machine", posted));
      const isDays = Object.hasOwn(keyDays, posted.days);
      if (!isDays) context.issues.push(problem("days", "Choose how long it is valid", posted));
      if (!isPossible || !isDays) return z.NEVER;
      return { machineSerial: machine === "" ? null : machine, days: Number(posted.days) };
    }),
  ),
  isRestored,
);
