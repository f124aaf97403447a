import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { readGroups, type CallView } from "../_api-docs/calls.server";
import {
  breakable,
  DocsPage,
  DocsTable,
  docsHandle,
  Example,
  FieldTable,
  Words,
} from "../_api-docs/docs-page";
import * as css from "../_api-docs/docs.css";
import { docsPaths } from "../_api-docs/docs-paths";

export const handle = docsHandle;

export const meta = pageMeta<{ group: { name: string } }>(
  (page) => `${page?.group.name ?? "Calls"} - HTTP API`,
);

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const group = readGroups().find(({ id }) => id === args.params.group);
  if (!group) throw new Response(null, { status: 404 });
  return { group };
}

export default function CallGroup() {
  const { group } = useLoaderData<typeof loader>();
  const contents = Object.fromEntries(group.calls.map(({ id, summary }) => [id, summary]));
  return (
    <DocsPage title={`HTTP API: ${group.name}`} current={docsPaths.calls} contents={contents}>
      {group.calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </DocsPage>
  );
}

function Call({ call }: { call: CallView }) {
  return (
    <section id={call.id} className={css.prose}>
      <h2>{call.summary}</h2>
      <p>
        <strong>{call.method}</strong> <code>{breakable(call.path)}</code>
      </p>
      <p>
        {"Needs: "}
        <Words>{call.needs}</Words>
      </p>
      {call.parameters.length > 0 && (
        <DocsTable head={["Parameter", "Meaning"]} rows={call.parameters} />
      )}
      {call.bodyFields.length > 0 && (
        <>
          <h3>Body</h3>
          <FieldTable fields={call.bodyFields} />
        </>
      )}
      <Example title="curl" code={call.curl} />
      <h3>Answers</h3>
      <DocsTable head={["Status", "Meaning"]} rows={call.answers} />
      {call.result && (
        <>
          <FieldTable fields={call.resultFields} />
          <Example title="Example" code={call.result} />
        </>
      )}
    </section>
  );
}
