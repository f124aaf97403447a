import { db } from "../../app/db/connection.server";

/** The row of a table with an id, to be read or changed. */
export const rowById = (table: string, id: string | undefined) => db()(table).where({ id });

/** The moment that was an interval ago by the clock of the database. */
export const ago = (interval: string) => db().raw("now() - cast(? as interval)", [interval]);
