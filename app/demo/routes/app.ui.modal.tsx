import { Outlet } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Page } from "../../ui/layout/page";
import { DialogLink, ignoreDialogs } from "../../ui/overlay/dialog-route";
import * as css from "../demo.css";
import { requireDemo } from "../demo.server";
import { dialogs, modalPath } from "../dialogs";

export const meta = pageMeta("Modal");
export const loader = screenLoader(requireDemo, async () => null);
export const shouldRevalidate = ignoreDialogs();

/** Without script: each dialog is a section of the page that its link opens. */
export default function Modal() {
  return (
    <Page title="Modal">
      <Outlet />
      <p className={css.intro}>Each dialog has its own URL, as in the product.</p>
      <p className={css.row}>
        {Object.entries(dialogs).map(([name, { link }]) => (
          <DialogLink key={name} id={`open-${name}`} to={`${modalPath}/${name}`} preventScrollReset>
            {link}
          </DialogLink>
        ))}
      </p>
    </Page>
  );
}
