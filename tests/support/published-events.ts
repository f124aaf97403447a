import { beforeAll, beforeEach, expect } from "vitest";
import { db } from "../../app/db/connection.server";
import type { ApiEvent } from "../../app/features/events/event";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { readFeed } from "../../app/features/events/read-events.server";
import { makeKey } from "../factories/redemptions";
import { useDatabase } from "./postgres";

const never = new AbortController().signal;

/** Gives a test file a database, a key, and the feed of the events that each test causes. */
export function useEvents(options?: Parameters<typeof useDatabase>[0]) {
  useDatabase(options);
  const key = { id: "", secret: "" };
  const feed = { key, start: "", beginHere, read, published };

  /** Lets the feed begin with the next event. */
  async function beginHere(): Promise<void> {
    [feed.start] = (await db()("event_log").pluck<string[]>("last_position")) as [string];
  }

  function read(query: Partial<Parameters<typeof readFeed>[0]> = {}, signal = never) {
    const page = { after: feed.start, limit: 100, types: [], waitMs: 0 };
    return readFeed({ ...page, reader: { role: "admin" }, ...query }, signal);
  }

  async function published(): Promise<ApiEvent[]> {
    await publish();
    const all: ApiEvent[] = [];
    for (let after = feed.start; ;) {
      const { events, next } = await read({ after });
      if (events.length === 0) return all;
      all.push(...events);
      after = next;
    }
  }

  beforeAll(async () => {
    Object.assign(key, await makeKey());
  });
  beforeEach(async () => {
    await publish();
    await beginHere();
  });
  return feed;
}

/** Publishes all that has been committed; other databases of the cluster may delay it. */
export async function publish(chunkSize?: number): Promise<void> {
  await expect.poll(() => publishEvents(chunkSize ? { chunkSize } : {})).toBe("done");
}

export const typesOf = (events: ApiEvent[]) => events.map(({ type }) => type);
