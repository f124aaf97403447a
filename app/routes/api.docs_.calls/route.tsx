import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { countOf } from "../../format/number";
import { allowAnyone } from "../../http/guards.server";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { muted } from "#styles/global.css";
import { readGroups, searchCalls } from "../_api-docs/calls.server";
import { breakable, DocsPage, docsHandle } from "../_api-docs/docs-page";
import * as css from "../_api-docs/docs.css";
import { docsPaths } from "../_api-docs/docs-paths";

export const handle = docsHandle;

export const meta = pageMeta("All calls - HTTP API");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const search = (new URL(args.request.url).searchParams.get("q") ?? "").slice(0, 100);
  const matches = searchCalls(search);
  const groups = readGroups(matches).map(({ id, name, calls }) => ({
    id,
    name,
    calls: calls.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return { search, groups, count: countOf(matches.length, "call") };
}

export default function Calls() {
  const { search, groups, count } = useLoaderData<typeof loader>();
  const contents = Object.fromEntries(groups.map(({ id, name }) => [id, name]));
  return (
    <DocsPage title="HTTP API" current={docsPaths.calls} contents={contents}>
      <form method="get" className={css.search}>
        <InputField name="q" label="Search calls" type="search" defaultValue={search} />
        <Button>Search</Button>
      </form>
      <p role="status" className={muted}>
        {count}
      </p>
      {groups.map(({ id, name, calls }) => (
        <section key={id} id={id} className={css.prose}>
          <h2>
            <a href={docsPaths.callGroup(id)}>{name}</a>
          </h2>
          <ul>
            {calls.map((call) => (
              <li key={call.id}>
                <a href={`${docsPaths.callGroup(id)}#${call.id}`}>{call.summary}</a>
                <br />
                <span className={muted}>
                  {call.method} <code>{breakable(call.path)}</code>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocsPage>
  );
}
