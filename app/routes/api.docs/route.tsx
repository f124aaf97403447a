// Without script: the same. The page never loads one.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Fragment } from "react";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { CardSection } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./docs.css";
import { readDocs, type CallView } from "./docs.server";

export const handle = { hydrate: false, icons: [] };

export const meta = pageMeta("HTTP API");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const search = (new URL(args.request.url).searchParams.get("q") ?? "").slice(0, 100);
  return { search, ...readDocs(search) };
}

export default function Docs() {
  const { search, origin, groups, count } = useLoaderData<typeof loader>();
  return (
    <main id="main" className={css.page}>
      <p>
        <a href={paths.home}>Promo Console</a>
      </p>
      <h1>HTTP API</h1>
      <p>
        Promo Console at <code>{origin}</code>. Send <code>Authorization: Bearer</code> with an
        access token, your API key or the key of an integration. Bodies and answers are JSON; prices
        are in cents. <a href={paths.openApi}>OpenAPI document</a>
      </p>
      <form method="get" className={css.search}>
        <InputField name="q" label="Search calls" type="search" defaultValue={search} />
        <Button>Search</Button>
      </form>
      <p role="status" className={muted}>
        {count}
      </p>
      <div className={parts}>
        {groups.map(({ name, calls }) => (
          <CardSection key={name} title={name}>
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </CardSection>
        ))}
      </div>
    </main>
  );
}

/** Lets a path break after its slashes. */
function breakable(path: string) {
  return path.split("/").map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}

function Call({ call }: { call: CallView }) {
  return (
    <details id={call.id} className={css.call}>
      <summary>
        <strong>{call.method}</strong> <code>{breakable(call.path)}</code>{" "}
        <span className={muted}>{call.summary}</span>
      </summary>
      <FactList
        facts={[
          ["Needs", call.needs],
          ...call.parameters.map(
            ({ name, text }) => [<code key={name}>{name}</code>, text] as const,
          ),
          ...call.answers.map(({ status, text }) => [status, text] as const),
        ]}
      />
      {call.body && (
        <>
          <h3>Body</h3>
          <pre className={css.code}>{call.body}</pre>
        </>
      )}
      {call.result && (
        <>
          <h3>Answer</h3>
          <pre className={css.code}>{call.result}</pre>
        </>
      )}
      <h3>curl</h3>
      <pre className={css.code}>{call.curl}</pre>
      <h3>JavaScript</h3>
      <pre className={css.code}>{call.javascript}</pre>
    </details>
  );
}
