// Without script: a <details> with a plain form; each choice is a button of it.
import { Fragment, useEffect, useRef } from "react";
import { mailChoices, type MailChoice as Choice } from "../../features/alerts/alert";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { apart } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { Icon } from "../../ui/icon/icon";
import { closeMenu, DetailsMenu } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";

export function MailChoice({ current }: { current: Choice }) {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(current);
  // A choice that was stored closes the menu, and its button has the focus. Hydration leaves the menu open.
  useEffect(() => {
    if (before.current === current) return;
    before.current = current;
    const menu = list.current?.closest("details");
    if (!menu?.open) return;
    closeMenu(menu);
  }, [current]);
  return (
    <DetailsMenu
      summaryClass={button.default}
      summary={
        <>
          Mails to you: {mailChoices[current]}
          <Icon name="chevron-down" size="small" />
        </>
      }
    >
      <div ref={list}>
        <ActionForm action={paths.alertMails}>
          {(_isPending, pressed) =>
            (Object.entries(mailChoices) as [Choice, string][]).map(([choice, label]) => (
              <Fragment key={choice}>
                <button
                  name="intent"
                  value={choice}
                  aria-pressed={choice === current}
                  className={menuItem}
                >
                  {choice === current && <Icon name="check" />}
                  {choice === pressed ? "Saving..." : label}
                </button>
                {apart}
              </Fragment>
            ))
          }
        </ActionForm>
      </div>
    </DetailsMenu>
  );
}
