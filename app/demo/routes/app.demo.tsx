import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Page } from "../../ui/layout/page";
import { Cards } from "../cards";
import * as css from "../demo.css";
import { isReadOnlyFor, requireDemo } from "../demo.server";
import { demoGroups, isProductForm } from "../pages";

export const handle = { hydrate: false };
export const meta = pageMeta("Demo pages");
/** The pages that change products are not there while these are the sample products. */
export const loader = screenLoader(requireDemo, async (_args, session) => {
  const isThere = ({ path }: { path: string }) => !isReadOnlyFor(session) || !isProductForm(path);
  return demoGroups.map(({ group, pages }) => ({ group, pages: pages.filter(isThere) }));
});

/** Without script: the same, links to every page of the demo area. */
export default function DemoIndex() {
  const groups = useLoaderData<typeof loader>();
  const cards = groups.map(({ group, pages }) => [
    group,
    <ul key={group} className={css.list}>
      {pages.map(({ path, label }) => (
        <li key={path}>
          <a href={path} className={css.target}>
            {label}
          </a>
        </li>
      ))}
    </ul>,
  ]);
  return (
    <Page title="Demo pages">
      <p className={css.intro}>
        Samples of the interface. Nothing here changes your codes or machines.
      </p>
      <Cards cards={Object.fromEntries(cards)} />
    </Page>
  );
}
