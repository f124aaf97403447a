import { useLoaderData } from "@remix-run/react";
import { useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { Card, FactList, Page } from "../../ui/layout/page";
import { shortcutsFor } from "../../ui/keyboard/shortcuts";
import * as styles from "./keyboard.css";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, async ({ request }) => readPreferences(request));

const everywhere = [
  ["Tab", "Go to the next control"],
  ["Shift + Tab", "Go to the previous control"],
  ["Enter", "Follow a link, press a button, send a form"],
  ["Space", "Press a button, tick a box, open a menu"],
  ["Left, Right", "Move between the actions of a row, or between column headings"],
  ["Esc", "Close a dialog or a menu and return to what opened it"],
] as const;

function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}

/** Without script: the keys of the browser work; the single keys need scripts and say so. */
export default function Keyboard() {
  const { hasShortcuts } = useLoaderData<typeof loader>();
  const shortcuts = shortcutsFor(useCanEdit());
  return (
    <Page title="Keyboard">
      <Card className={styles.card}>
        <h2>Everywhere</h2>
        <FactList facts={everywhere.map(([key, label]) => [<Key key={key}>{key}</Key>, label])} />
        <h2>Shortcuts</h2>
        <p>
          {hasShortcuts ? "On. They work when scripts run and no field has the focus." : "Off."}
        </p>
        <FactList facts={shortcuts.map(({ key, label }) => [<Key key={key}>{key}</Key>, label])} />
        <form method="post" action={paths.preferences}>
          <input type="hidden" name="returnTo" value={paths.keyboard} />
          <input type="hidden" name="control" value="switch-shortcuts" />
          <Button id="switch-shortcuts" name="shortcuts" value={hasShortcuts ? "off" : "on"}>
            {hasShortcuts ? "Turn shortcuts off" : "Turn shortcuts on"}
          </Button>
        </form>
      </Card>
    </Page>
  );
}
