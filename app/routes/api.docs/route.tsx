// Without script: the same. The page never loads one.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { parts } from "../../ui/layout/layout.css";
import { muted } from "#styles/global.css";
import * as css from "./docs.css";
import { readDocs } from "./docs.server";

export const handle = { hydrate: false, icons: [] };

export const meta = pageMeta("HTTP API");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const search = (new URL(args.request.url).searchParams.get("q") ?? "").slice(0, 100);
  return { search, ...readDocs(search) };
}

export default function Docs() {
  const { search, origin, html, count } = useLoaderData<typeof loader>();
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
      {/* eslint-disable-next-line no-restricted-syntax -- rendered once, because it is the same for everybody */}
      <div className={parts} dangerouslySetInnerHTML={{ __html: html }} />
    </main>
  );
}
