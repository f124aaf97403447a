import { Button } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { input } from "../../ui/form/form.css";
import { Icon } from "../../ui/icon/icon";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";
import { visuallyHidden } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import type { ShowcaseProps } from "./showcase-props";

export function NavbarPage({ query }: ShowcaseProps) {
  const search = query.get("search");
  return (
    <div className={css.stackWide}>
      <Card className={cardSection}>
        <h2>Links</h2>
        <nav aria-label="Links" className={css.bar}>
          <b>Brand</b>
          <a href="?page=home" aria-current="page">
            Home
          </a>
          <a href="?page=link">Link</a>
          <span role="link" aria-disabled="true" className={css.disabledLink}>
            Disabled
          </span>
        </nav>
      </Card>
      <Card className={cardSection}>
        <h2>Menu</h2>
        <nav aria-label="With a menu" className={css.bar}>
          <b>Photos</b>
          <DetailsMenu
            summaryClass={shared.target}
            summary={
              <>
                <Icon name="user" />
                <span className={visuallyHidden}>Account</span>
              </>
            }
          >
            <a href="?page=profile" className={menuItem}>
              Profile
            </a>{" "}
            <a href="?page=account" className={menuItem}>
              My account
            </a>
          </DetailsMenu>
        </nav>
      </Card>
      <Card className={cardSection}>
        <h2>Search that expands</h2>
        <div className={css.bar}>
          <b>Material</b>
          <form role="search" aria-label="In the bar" className={css.searchLine}>
            <input
              name="search"
              type="search"
              aria-label="Search"
              placeholder="Search…"
              defaultValue={search ?? ""}
              className={`${input} ${css.expanding}`}
            />
            <Button icon="search">Search</Button>
          </form>
        </div>
        {search && <p role="status">{`You searched for “${search.slice(0, 100)}”.`}</p>}
      </Card>
    </div>
  );
}

const directions = ["top", "right", "bottom", "left"] as const;
const name = (direction: string) => direction.charAt(0).toUpperCase() + direction.slice(1);

/** Tooltips appear under pointer and focus, beside their button; popovers close on a click elsewhere. */
export function TooltipsPage() {
  return (
    <div className={shared.grid}>
      <Card className={cardSection}>
        <h2>Tooltips</h2>
        <p>Point at a button, or move the focus to it.</p>
        <div className={css.tips}>
          {directions.map((direction) => (
            <span key={direction} className={css.tip[direction]}>
              <button
                type="button"
                aria-describedby={`tip-${direction}`}
                className={button.default}
              >
                {name(direction)}
              </button>
              <span role="tooltip" id={`tip-${direction}`} className={css.tipText}>
                {`Tooltip at the ${direction}`}
              </span>
            </span>
          ))}
        </div>
      </Card>
      <Card className={cardSection}>
        <h2>Popovers</h2>
        <p>Press a button. Esc, or a click elsewhere, closes the popover.</p>
        <div className={css.tips}>
          {directions.map((direction) => (
            <span key={direction} className={css.popoverAnchor[direction]}>
              <button
                type="button"
                {...{ popovertarget: `popover-${direction}` }}
                className={button.default}
              >
                {name(direction)}
              </button>
              <span
                id={`popover-${direction}`}
                {...{ popover: "auto" }}
                className={css.popover[direction]}
              >
                <b>{`Popover at the ${direction}`}</b> <br />
                And here’s some text about it.
              </span>
            </span>
          ))}
        </div>
      </Card>
      <Card className={cardSection}>
        <h2>As text</h2>
        <p className={shared.iconLine}>
          <Icon name="info" size="small" />
          <span>
            What matters is never in a tooltip alone: in the product it stands beside the control.
          </span>
        </p>
        <DetailsMenu
          summaryClass={button.default}
          placement="aboveStart"
          summary="A menu as a popover"
        >
          It works without scripts and without support for popovers.
        </DetailsMenu>
      </Card>
    </div>
  );
}
