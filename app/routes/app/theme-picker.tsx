import { useFetcher } from "@remix-run/react";
import type { FormEvent } from "react";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { Choice } from "../../ui/form/field";
import { hint, legend } from "../../ui/form/form.css";
import { Icon } from "../../ui/icon/icon";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import * as css from "./shell.css";

const themes = { default: "Default", secondary: "Secondary", success: "Success" };
const modes = { light: "Light", dark: "Dark", system: "System setting" };

type ThemePickerProps = {
  theme: string;
  mode: string;
  isLite: boolean;
  isSidebarOpen: boolean;
  returnTo: string;
};

export function ThemePicker({ theme, mode, isLite, isSidebarOpen, returnTo }: ThemePickerProps) {
  const fetcher = useFetcher();

  // Colours are shown at once. Lite mode changes how pages are sent, so it waits for Apply and a new document.
  function preview(event: FormEvent<HTMLFormElement>) {
    if (event.target instanceof HTMLInputElement && event.target.type === "radio") {
      fetcher.submit(event.currentTarget, { preventScrollReset: true });
    }
  }

  const choices = (name: string, title: string, options: object, chosen: string) => (
    <fieldset>
      <legend className={legend}>{title}</legend>
      {Object.entries(options).map(([value, label]) => (
        <Choice
          key={value}
          type="radio"
          name={name}
          value={value}
          defaultChecked={chosen === value}
        >
          {name === "theme" && <span className={`theme-${value} ${css.swatch}`} />}
          {label}
        </Choice>
      ))}
    </fieldset>
  );

  return (
    <aside aria-label="Theme settings">
      <DetailsMenu
        summaryId="theme-settings"
        className={css.settings}
        summaryClass={isSidebarOpen ? css.settingsButton : css.collapsedSettingsButton}
        placement="aboveStart"
        summary={
          <>
            <Icon name="palette" />
            <span className={isSidebarOpen ? undefined : css.collapsedLabel}>Theme</span>
          </>
        }
      >
        <form
          id="theme"
          method="post"
          action={paths.preferences}
          onChange={preview}
          className={css.settingsForm}
        >
          <input type="hidden" name="returnTo" value={returnTo} />
          <input type="hidden" name="control" value="theme-settings" />
          {choices("theme", "Colour theme", themes, theme)}
          {choices("mode", "Brightness", modes, mode)}
          <div>
            <input type="hidden" name="lite" value="off" />
            <Choice
              type="checkbox"
              name="lite"
              value="on"
              defaultChecked={isLite}
              aria-describedby="lite-hint"
            >
              Lite mode
            </Choice>
            <p id="lite-hint" className={hint}>
              Pages without scripts, for slow connections and computers.
            </p>
          </div>
          <Button variant="primary">Apply</Button>
        </form>
      </DetailsMenu>
    </aside>
  );
}
