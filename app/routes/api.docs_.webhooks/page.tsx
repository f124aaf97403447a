import type { ApiEvent } from "../../features/events/event";
import { paths } from "../../paths";
import { ScreenLink, DocsTable, Example, FieldTable, Section } from "../_api-docs/docs-page";
import * as css from "../_api-docs/docs.css";
import type { FieldRow } from "../_api-docs/schema-fields";
import { javascriptReceiver, phpReceiver, pythonReceiver } from "./examples";
import { docsPaths } from "../_api-docs/docs-paths";

export const contents = {
  webhooks: "Receive events",
  event: "An event",
  types: "Events by type",
  signature: "Check the signature",
  attempts: "Attempts",
  feed: "Read events yourself",
};

/** Events that have the same facts. */
type EventGroup = {
  types: { type: string; meaning: string }[];
  example: ApiEvent;
  fields: FieldRow[];
};

/** @param days how long events are kept */
export function Receive({ days, isAdmin }: { days: number; isAdmin: boolean }) {
  return (
    <Section of={contents} id="webhooks">
      <p>
        A webhook is an address of yours to which events are posted as they happen, within seconds.
        An admin adds it on{" "}
        <ScreenLink to={paths.webhooks} canOpen={isAdmin}>
          Webhooks
        </ScreenLink>
        , chooses the events, and gets a secret, which is shown once. 'Send test event' there posts
        an event of the type <code>webhook.test</code>.
      </p>
      <p>
        Answer with any 2xx status within 10 seconds, before you work on the event. An event may
        come more than once, always with the same <code>id</code>: keep the ids that you have seen
        for {days} days, and drop repetitions. Ignore types and fields that you don't know: others
        may be added.
      </p>
    </Section>
  );
}

export function EventShape({ event, fields }: { event: ApiEvent; fields: FieldRow[] }) {
  return (
    <Section of={contents} id="event">
      <Example title="Body of a call" code={JSON.stringify(event, null, 2)} />
      <FieldTable fields={fields} />
      <p>
        Events of one <code>subject</code> come in the order in which they happened; those of
        different subjects may overtake each other, and a refusal or an expiration comes after what
        people changed before it was recorded. Prices are in cents, and <code>savings</code> is a
        percentage. Go by <code>id</code> and <code>serialNumber</code>, not by names: events of
        redemptions have those of the moment of sending, all others those of the moment at which
        they happened.
      </p>
    </Section>
  );
}

export function EventTypes({ groups }: { groups: EventGroup[] }) {
  return (
    <Section of={contents} id="types">
      {groups.map(({ types, example, fields }) => (
        <div key={example.type} className={css.prose}>
          {types.map(({ type, meaning }) => (
            <div key={type} id={type}>
              <h3>
                <code>{type}</code>
              </h3>
              <p>{meaning}</p>
            </div>
          ))}
          <Example
            id={`data-${example.type}`}
            title="data"
            code={JSON.stringify(example.data, null, 2)}
          />
          <FieldTable fields={fields} />
        </div>
      ))}
    </Section>
  );
}

export function Signature() {
  return (
    <Section of={contents} id="signature">
      <p>
        Anybody can post to your address, so check each call. It is signed as the{" "}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a> specification says; its
        libraries exist for most languages.
      </p>
      <DocsTable
        head={["Header", "Meaning"]}
        rows={[
          ["`webhook-id`", "The id of the event, as in the body."],
          ["`webhook-timestamp`", "Seconds since 1970 UTC at which this attempt was made."],
          [
            "`webhook-signature`",
            "`v1,` and a signature in base64; two of them with a blank between, for 24 hours after the secret was rotated. One that fits is enough.",
          ],
        ]}
      />
      <ol>
        <li>
          Take the secret without <code>whsec_</code> and decode its base64: that is the key.
        </li>
        <li>Sign id, timestamp and the body as it was sent, with dots between, by HMAC-SHA256.</li>
        <li>Compare in constant time, and refuse a timestamp that is more than 5 minutes off.</li>
      </ol>
      <p>
        Each of these programs is a whole receiver. It reads the secret from{" "}
        <code>WEBHOOK_SECRET</code>.
      </p>
      <Example id="receiver-js" title="JavaScript" code={javascriptReceiver} />
      <Example id="receiver-py" title="Python" code={pythonReceiver} />
      <Example id="receiver-php" title="PHP" code={phpReceiver} />
    </Section>
  );
}

export function Attempts({ days }: { days: number }) {
  return (
    <Section of={contents} id="attempts">
      <DocsTable
        head={["Answer", "What follows"]}
        rows={[
          ["2xx", "The event is delivered."],
          [
            "Any other, a redirect, or none within 10 seconds",
            "It is sent again after 2, 8 and 32 seconds, 2, 9 and 34 minutes, 2 hours and 9 hours, then each 22 hours, for 3 days: a little sooner or later, so that calls don't come all at once.",
          ],
          [
            "No success for 3 days",
            "The event has failed, and the next one of its subject follows. A webhook that accepted nothing in that time is disabled, and admins get a mail.",
          ],
          ["410", "The webhook is disabled at once."],
        ]}
      />
      <p>
        A disabled webhook goes on where it stopped once an admin enables it. The log on its page
        has each attempt with request and answer for {days} days; from there, single events and
        those of a period can be sent again. At most eight calls run at once, and an instance begins
        80 in a second.
      </p>
    </Section>
  );
}

export function Feed({ origin, days }: { origin: string; days: number }) {
  return (
    <Section of={contents} id="feed">
      <p>
        Systems that can't be called read the same events at{" "}
        <a href={`${docsPaths.callGroup("events")}#getApiEvents`}>
          <code>GET /api/events</code>
        </a>
        , with a key that has the scope <code>read</code>. Store <code>next</code> of each answer
        and send it as <code>after</code>; the call then waits for up to 25 seconds for something
        new. Events are kept for {days} days.
      </p>
      <Example
        title="curl"
        code={`curl "${origin}/api/events?types=promotion.redeemed,redemption.refused" \\\n  -H "Authorization: Bearer $API_KEY"`}
      />
    </Section>
  );
}
