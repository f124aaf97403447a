import type { FormEvent } from "react";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { AppearanceFields, appearanceValues } from "../../ui/form/appearance-fields";
import { usePreferenceForm } from "../../ui/form/sent-preference";
import { Icon } from "../../ui/icon/icon";
import { closeMenu, DetailsMenu } from "../../ui/overlay/details-menu";
import { ReturnTo } from "./navigation";
import * as css from "./shell.css";

type ThemePickerProps = { theme: string; mode: string; isLite: boolean; isSidebarOpen: boolean };

export function ThemePicker({ theme, mode, isLite, isSidebarOpen }: ThemePickerProps) {
  const { save, formProps } = usePreferenceForm(appearanceValues({ theme, mode, isLite }));

  // Colours are shown at once. Lite mode waits for Apply.
  function preview(event: FormEvent<HTMLFormElement>) {
    if (event.target instanceof HTMLInputElement && event.target.type === "radio") {
      save(event.currentTarget);
    }
  }

  function apply(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented) closeMenu(event.currentTarget.closest("details")!);
  }

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
          ref={formProps.ref}
          id="theme-form"
          method="post"
          action={paths.preferences}
          onChange={preview}
          onSubmit={apply}
          className={css.settingsForm}
        >
          <ReturnTo />
          <input type="hidden" name="control" value="theme-settings" />
          <AppearanceFields theme={theme} mode={mode} isLite={isLite} />
          <Button variant="primary">Apply</Button>
        </form>
      </DetailsMenu>
    </aside>
  );
}
