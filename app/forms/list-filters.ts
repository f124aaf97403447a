/** How the filters of a list are read from its address (rulings 1.6). */
import { isLongerThan, isStorableText } from "./storable-text";
import { formatDateInput, parseDateInput } from "./typed-date";

export const createdChoices = {
  "7d": "last 7 days",
  "30d": "last 30 days",
  "2m": "last 2 months",
} as const;
export type CreatedWithin = keyof typeof createdChoices;

/** The same for PostgreSQL. */
export const createdIntervals: Record<CreatedWithin, string> = {
  "7d": "7 days",
  "30d": "30 days",
  "2m": "2 months",
};

/** When something was created; null lets all through. */
export type CreatedFilter = {
  /** Days of the site's zone, YYYY-MM-DD: from the start of one to the end of the other. */
  createdAfter: string | null;
  createdBefore: string | null;
  /** Back from now, so that a saved address stays true. */
  created: CreatedWithin | null;
};

export type FilterReader = ReturnType<typeof filterReader>;

/**
 * Reads parameters one by one; what means nothing is the fallback and is named in `problems`, by
 * parameter. The first of several with one name counts.
 */
export function filterReader(params: URLSearchParams, problems: Record<string, string>) {
  return function read<Value>(
    name: string,
    fallback: Value,
    parse: (text: string) => Value | null,
    sentence = `The value of '${name}' is not valid`,
  ): Value {
    const text = params.get(name);
    if (text === null || text === "") return fallback;
    const value = parse(text);
    if (value === null) problems[name] = sentence;
    return value ?? fallback;
  };
}

/** `created_after`, `created_before` and `created`; each day is bounded by the other. */
export function readCreated(read: FilterReader, problems: Record<string, string>): CreatedFilter {
  const day = (name: string) => read<string | null>(name, null, parseDay, "Invalid date");
  const createdAfter = day("created_after");
  let createdBefore = day("created_before");
  if (createdAfter !== null && createdBefore !== null && createdBefore < createdAfter) {
    problems.created_before = `Created Before cannot be earlier than Created After, ${formatDateInput(createdAfter)}`;
    createdBefore = null;
  }
  const created = readOneOf(read, "created", Object.keys(createdChoices) as CreatedWithin[]);
  return { createdAfter, createdBefore, created };
}

/** The parameters that say the same, '' where all is let through. */
export function createdParams({ createdAfter, createdBefore, created }: CreatedFilter) {
  return {
    created: created ?? "",
    created_after: createdAfter ? formatDateInput(createdAfter) : "",
    created_before: createdBefore ? formatDateInput(createdBefore) : "",
  };
}

export function readOneOf<Word extends string>(
  read: FilterReader,
  name: string,
  words: readonly Word[],
): Word | null {
  return read<Word | null>(name, null, (text) => words.find((word) => word === text) ?? null);
}

/** Something to look for. */
export function readText(read: FilterReader, name: string): string {
  return read(name, "", parseText);
}

/** As people type it, or YYYY-MM-DD. */
function parseDay(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return parseDateInput(iso ? `${iso[3]}/${iso[2]}/${iso[1]}` : text);
}

/** Longer than any name. */
const maxFilterLength = 200;

function parseText(text: string): string | null {
  const needle = text.trim();
  return isStorableText(needle) && !isLongerThan(needle, maxFilterLength) ? needle : null;
}
