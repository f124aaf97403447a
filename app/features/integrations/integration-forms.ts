/** The forms of the Integrations screens, for browser and server alike. */
import * as z from "zod/mini";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { formSchema, formValidator } from "../../forms/validator";
import { integrationNameError } from "./integration";

/** The validity of a key, in days; the last is the longest that there is. */
export const keyDays = { "30": "30 days", "90": "90 days", "180": "180 days", "365": "1 year" };

const text = z._default(z.string(), "");

export const integrationValidator = formValidator(
  ["name"],
  formSchema(
    { name: text },
    ({ name }) => ({ name: integrationNameError(name.trim()) }),
    ({ name }) => ({ name: name.trim() }),
  ),
);

type KeyFormValues = {
  /** Null: any machine. */
  machineSerial: string | null;
  days: number;
};

export const keyValidator = formValidator(
  ["machine", "days"],
  formSchema(
    { machine: text, days: text },
    ({ machine, days }) => ({
      machine:
        isStorableText(machine.trim()) && !isLongerThan(machine.trim(), 100)
          ? null
          : "There is no such machine",
      days: Object.hasOwn(keyDays, days) ? null : "Choose how long it is valid",
    }),
    ({ machine, days }): KeyFormValues => ({
      machineSerial: machine.trim() || null,
      days: Number(days),
    }),
  ),
);
