import { useFetcher } from "@remix-run/react";
import type { FormEvent } from "react";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import { AppearanceFields } from "../../ui/form/appearance-fields";
import { Icon } from "../../ui/icon/icon";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { ReturnTo } from "./navigation";
import * as css from "./shell.css";

type ThemePickerProps = { theme: string; mode: string; isLite: boolean; isSidebarOpen: boolean };

export function ThemePicker({ theme, mode, isLite, isSidebarOpen }: ThemePickerProps) {
  const fetcher = useFetcher();

  // Colours are shown at once. Lite mode changes how pages are sent, so it waits for Apply and a new document.
  function preview(event: FormEvent<HTMLFormElement>) {
    if (event.target instanceof HTMLInputElement && event.target.type === "radio") {
      fetcher.submit(event.currentTarget, { preventScrollReset: true });
    }
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
          id="theme-form"
          method="post"
          action={paths.preferences}
          onChange={preview}
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
