import { demoCrumbs } from "../../demo/crumbs";
import * as css from "../../demo/demo.css";
import { demoGroups } from "../../demo/pages";
import { requireDemo } from "../../demo/guard.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";

export const handle = { hydrate: false, crumbs: demoCrumbs };
export const meta = pageMeta("Demo pages");
export const loader = screenLoader(requireDemo, async () => null);

/** Without script: the same, links to every page of the demo area. */
export default function DemoIndex() {
  return (
    <Page title="Demo pages">
      <p className={css.intro}>
        Samples of the interface. Nothing here changes your promotions or machines.
      </p>
      <div className={css.columns.narrow}>
        {demoGroups.map(({ title, pages }) => (
          <Card key={title} className={cardSection}>
            <h2>{title}</h2>
            <ul className={css.links}>
              {pages.map(({ path, label }) => (
                <li key={path}>
                  <a href={path}>{label}</a>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </Page>
  );
}
