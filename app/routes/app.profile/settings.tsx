// Without script: one form, whose answer is the page in its new look.
import { paths } from "../../paths";
import { AppearanceFields, appearanceValues } from "../../ui/form/appearance-fields";
import { SubmitButton } from "../../ui/form/button";
import { Choice, SelectField } from "../../ui/form/field";
import { form, hint } from "../../ui/form/form.css";
import { usePreferenceForm } from "../../ui/form/sent-preference";
import type { ProfilePageData } from "./route";

/** Settings of this browser. */
export function Settings({ page: { preferences, rowsPerPage } }: { page: ProfilePageData }) {
  const { isPending, isSaved, formProps } = usePreferenceForm({
    ...appearanceValues(preferences),
    shortcuts: preferences.hasShortcuts ? "on" : "",
    ...Object.fromEntries(rowsPerPage.map(({ name, value }) => [name, String(value)])),
  });
  return (
    <>
      <h2>Settings of this browser</h2>
      <form {...formProps} method="post" action={paths.preferences} className={form}>
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
          <SubmitButton
            id="save-settings"
            variant="default"
            isPending={isPending}
            pendingLabel="Saving..."
          >
            Save settings
          </SubmitButton>
        </div>
        <p role="status" className={hint}>
          {isSaved && "Settings saved."}
        </p>
      </form>
    </>
  );
}
