import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { environment } from "../../env.server";
import { eventMeanings, eventTypes, type EventType } from "../../features/events/event";
import { eventData } from "../../features/events/event-data";
import { eventExamples } from "../../features/events/event-examples.server";
import { settings } from "../../features/settings/settings.server";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { eventSchemaOf } from "../../http/openapi-webhooks.server";
import { currentSession } from "../../http/sessions.server";
import { DocsPage, docsHandle } from "../_api-docs/docs-page";
import { fieldsOf, type FieldRow, type Schema } from "../_api-docs/schema-fields";
import { Attempts, contents, EventShape, EventTypes, Feed, Receive, Signature } from "./page";
import { docsPaths } from "../_api-docs/docs-paths";

export const handle = docsHandle;

export const meta = pageMeta("Events and webhooks - HTTP API");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const { eventDays: days } = settings();
  const isAdmin = (await currentSession(args))?.user.role === "admin";
  return { origin: environment().appOrigin, isAdmin, days, ...(documented ??= documentEvents()) };
}

/** The same for everybody, and so made once. */
let documented: ReturnType<typeof documentEvents> | undefined;

function documentEvents() {
  const rows = (type: EventType) => fieldsOf(eventSchemaOf(type) as Schema, false);
  const isOfData = ([name]: FieldRow) => name.startsWith("`data.");
  const types = Object.keys(eventTypes) as EventType[];
  const groups = [...new Set(types.map((type) => eventData[type]))].map((schema) => {
    const same = types.filter((type) => eventData[type] === schema);
    return {
      types: same.map((type) => ({ type, meaning: eventMeanings[type] })),
      example: eventExamples[same[0]!],
      fields: rows(same[0]!).filter(isOfData),
    };
  });
  return { groups, shape: rows("promotion.redeemed").filter((row) => !isOfData(row)) };
}

export default function WebhookDocs() {
  const { origin, isAdmin, days, groups, shape } = useLoaderData<typeof loader>();
  return (
    <DocsPage title="Events and webhooks" current={docsPaths.webhooks} contents={contents}>
      <Receive days={days} isAdmin={isAdmin} />
      <EventShape event={groups[0]!.example} fields={shape} />
      <EventTypes groups={groups} />
      <Signature />
      <Attempts days={days} />
      <Feed origin={origin} days={days} />
    </DocsPage>
  );
}
