import { useLoaderData } from "@remix-run/react";
import { formMeta } from "../../forms/form-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { Card, FactList, Page } from "../../ui/layout/page";
import { shortcuts } from "../../ui/keyboard/shortcuts";
import * as styles from "./keyboard.css";

export const meta = formMeta("Keyboard");

export const loader = screenLoader(requireUser, async ({ request }) => readPreferences(request));

const everywhere = [
  ["Tab, Shift + Tab", "To the next control, to the one before"],
  ["Enter", "Follows a link, presses a button, sends a form"],
  ["Space", "Presses a button, ticks a box, opens a menu"],
  ["Left, Right", "Among the actions of a row, and among the orders in the head of a table"],
  ["Esc", "Closes a dialog or a menu; the focus returns to what opened it"],
] as const;

/** Without script: the keys of the browser work; the single keys need scripts and say so. */
export default function Keyboard() {
  const { hasShortcuts } = useLoaderData<typeof loader>();
  return (
    <Page title="Keyboard">
      <Card className={styles.card}>
        <h2>Everywhere</h2>
        <FactList facts={everywhere} />
        <h2>Single keys</h2>
        <p>
          {hasShortcuts ? "On, where scripts run and no field has the focus." : "Switched off."}
        </p>
        <FactList
          facts={shortcuts.map(({ key, label }) => [
            <kbd key={key} className={styles.key}>
              {key}
            </kbd>,
            label,
          ])}
        />
        <form method="post" action={paths.preferences}>
          <input type="hidden" name="returnTo" value={paths.keyboard} />
          <input type="hidden" name="control" value="switch-shortcuts" />
          <Button id="switch-shortcuts" name="shortcuts" value={hasShortcuts ? "off" : "on"}>
            {hasShortcuts ? "Switch single keys off" : "Switch single keys on"}
          </Button>
        </form>
      </Card>
    </Page>
  );
}
