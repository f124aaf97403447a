// Without script: one form, whose answer is the page in its new look.
import { paths } from "../../paths";
import { AppearanceFields } from "../../ui/form/appearance-fields";
import { Button } from "../../ui/form/button";
import { Choice, SelectField } from "../../ui/form/field";
import { form, hint } from "../../ui/form/form.css";
import type { ProfilePageData } from "./route";

/** Settings of this browser. A new document follows, because lite mode decides how pages are sent. */
export function Settings({ page: { preferences, rowsPerPage } }: { page: ProfilePageData }) {
  return (
    <>
      <h2>Settings of this browser</h2>
      <form method="post" action={paths.preferences} className={form}>
        <input type="hidden" name="returnTo" value={paths.profile} />
        <input type="hidden" name="control" value="save-settings" />
        <AppearanceFields {...preferences} hintId="settings-lite-hint" />
        <div>
          <input type="hidden" name="shortcuts" value="off" />
          <Choice
            type="checkbox"
            name="shortcuts"
            value="on"
            defaultChecked={preferences.hasShortcuts}
            aria-describedby="shortcuts-hint"
          >
            Single-key shortcuts
          </Choice>
          <p id="shortcuts-hint" className={hint}>
            Such as ? for help. The page Keyboard in the profile menu lists them.
          </p>
        </div>
        {rowsPerPage.map(({ name, label, sizes, value }) => (
          <SelectField
            key={name}
            name={name}
            label={`Rows per page: ${label}`}
            defaultValue={value}
          >
            {sizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </SelectField>
        ))}
        <div>
          <Button id="save-settings">Save settings</Button>
        </div>
      </form>
    </>
  );
}
