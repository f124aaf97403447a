import { Outlet } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import * as css from "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import { dialogs, modalPath } from "../../demo/showcase/dialogs";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { DialogLink, keepUnderDialogs } from "../../ui/overlay/dialog-route";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Modal");
export const loader = screenLoader(requireDemo, async () => null);
export const shouldRevalidate = keepUnderDialogs();

/** Without script: each dialog is a section of the page that its link opens. */
export default function Modal() {
  return (
    <Page title="Modal">
      <Outlet />
      <p className={css.intro}>Each dialog has its own URL, as in the product.</p>
      <div className={css.grid}>
        {Object.entries(dialogs).map(([name, { link, about }]) => (
          <Card key={name} className={cardSection}>
            <h2>{link}</h2>
            <p>{about}</p>
            <p>
              <DialogLink
                id={`open-${name}`}
                to={`${modalPath}/${name}`}
                aria-label={`Open ${link}`}
                preventScrollReset
              >
                Open
              </DialogLink>
            </p>
          </Card>
        ))}
      </div>
    </Page>
  );
}
