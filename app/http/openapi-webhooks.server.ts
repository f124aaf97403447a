/** The events of webhooks in the OpenAPI document. */
import * as z from "zod/mini";
import { eventTypes, type EventType } from "../features/events/event";
import { eventData } from "../features/events/event-data";
import { capitalized } from "../format/text";
import { schemaOf } from "./openapi-schemas.server";
import { eventSchema } from "./operations/events.server";

export function eventSchemaOf(type: EventType): object {
  const schema = z.extend(eventSchema, { type: z.literal(type), data: eventData[type] });
  return schemaOf(schema, "output", ["events"]);
}

export function webhookDocument(): object {
  return Object.fromEntries(
    (Object.keys(eventTypes) as EventType[]).map((type) => [
      type,
      {
        post: {
          operationId: `on${type.split(/[._]/).map(capitalized).join("")}`,
          tags: ["Events"],
          summary: eventTypes[type],
          description: "Signed as the Standard Webhooks specification says.",
          security: [],
          requestBody: {
            required: true,
            content: { "application/json": { schema: eventSchemaOf(type) } },
          },
          responses: {
            "2XX": { description: "The event is accepted." },
            "4XX": { description: "The event is sent again; after 410 the webhook is disabled." },
          },
        },
      },
    ]),
  );
}
