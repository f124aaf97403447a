import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Page } from "../../ui/layout/page";
import { Cards } from "../cards";
import * as css from "../demo.css";
import { requireDemo } from "../demo.server";
import { demoGroups } from "../pages";

export const handle = { hydrate: false };
export const meta = pageMeta("Demo pages");
export const loader = screenLoader(requireDemo, async () => null);

/** Without script: the same, links to every page of the demo area. */
export default function DemoIndex() {
  const cards = demoGroups.map(({ group, pages }) => [
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
        Samples of the interface. Nothing here changes your promotions or machines.
      </p>
      <Cards cards={Object.fromEntries(cards)} />
    </Page>
  );
}
