// Without script: the same. The page never loads one.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { readGroups } from "../_api-docs/calls.server";
import { DocsPage, docsHandle } from "../_api-docs/docs-page";
import { Call } from "./calls";
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
