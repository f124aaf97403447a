/** The event feed, for clients that can't receive webhooks. */
import * as z from "zod/mini";
import { DomainError } from "../../errors";
import { eventTypes, isEventType, type EventType } from "../../features/events/event";
import { readFeed } from "../../features/events/read-events.server";
import { paramReader, parsePositive, rejectUnknown } from "../../lists/parse-list";
import { apiError } from "../answers.server";
import { operation } from "../api.server";
import { userPlaces } from "../file-response.server";

const maxPerPage = 100;
/** Clients and proxies give up after 30 s. */
const maxWaitSeconds = 25;

const names = Object.keys(eventTypes).join("|").replaceAll(".", "\\.");

/** An event, as the feed lists it and as webhooks send it. */
export const eventSchema = z.object({
  id: z.uuid(),
  type: z.enum(Object.keys(eventTypes) as [EventType, ...EventType[]]),
  timestamp: z.iso.datetime(),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** A client that polls once for each machine would keep all others from waiting. */
const takeWait = userPlaces(
  10,
  "eventWaits",
  "10 of your calls wait for events. Wait for events with fewer calls at once.",
);

function parseFeedQuery(params: URLSearchParams) {
  const errors: Record<string, string> = {};
  const read = paramReader(params, errors);
  const query = {
    after: read(
      "after",
      null,
      (text) => (/^(0|[1-9]\d{0,14})$/.test(text) ? text : null),
      "'after' must be the 'next' of an earlier answer",
    ),
    limit: read(
      "limit",
      maxPerPage,
      (text) => parsePositive(text, maxPerPage),
      `'limit' must be a whole number from 1 to ${maxPerPage}`,
    ),
    types: read("types", [] as EventType[], (text) => {
      const types = text.split(",");
      return types.every(isEventType) ? types : null;
    }),
    wait: read(
      "wait",
      maxWaitSeconds,
      (text) => (/^(\d|1\d|2[0-5])$/.test(text) ? Number(text) : null),
      `'wait' must be a whole number from 0 to ${maxWaitSeconds}`,
    ),
  };
  rejectUnknown(params, Object.keys(query), errors);
  return { query, errors };
}

export const eventOperations = [
  operation({
    method: "GET",
    path: "/api/events",
    summary: "List events, or wait for the next",
    scope: "read",
    hasWholeCodes: true,
    query: parseFeedQuery,
    answers: {
      200: "Events in the order of their commits, oldest first; `next` is the cursor for the next call. With `after`, the answer waits for an event for up to 25 seconds if there is none. After a search of 2 seconds it is empty, too: go on from `next`. At most 10 calls of a user wait at once.",
    },
    result: z.object({ events: z.array(eventSchema), next: z.string() }),
    queryParams: {
      after:
        "The `next` of an earlier answer. Without it, the oldest event that is kept comes first.",
      limit: "At most 100.",
      types: [
        `Names with commas: ${Object.keys(eventTypes).join(", ")}.`,
        { type: "string", pattern: `^(${names})(,(${names}))*$` },
      ],
      wait: [
        "Seconds to wait for an event.",
        { type: "integer", minimum: 0, maximum: maxWaitSeconds },
      ],
    },
    async run({ request, user, query: { wait, ...query } }) {
      const waitMs = query.after === null ? 0 : wait * 1_000;
      const release = waitMs > 0 ? takeWait(user.id) : null;
      try {
        return await readFeed({ ...query, waitMs, reader: user }, request.signal);
      } catch (error) {
        if (!(error instanceof DomainError) || error.reason !== "invalid") throw error;
        return apiError(400, error.message, { fields: { after: error.message } });
      } finally {
        release?.();
      }
    },
  }),
];
