/** The fields of a start and of hours as they are typed. Browsers don't check them: `times-form.server` reads them. */
import * as z from "zod/mini";
import { text } from "../../../forms/fields";

/** Values of fields of one name, one for each row. */
const list = z._default(
  z.pipe(
    z.transform((posted) => [posted].flat()),
    z.array(z.string("Enter one value")),
  ),
  [],
);

export const timesTexts = {
  /** DD/MM/YYYY, with or without HH:MM. */
  starts_at: text,
  /** Ticks of all rows, as row-day: '0-1' is Monday in the first row. */
  hours_days: list,
  hours_from: list,
  hours_to: list,
  /** DD/MM/YYYY, with commas between. */
  closed_on: text,
};

export type TimesInput = z.infer<z.ZodMiniObject<typeof timesTexts>>;
