// Without script: a <details> with a plain form; each choice is a button of it.
import { Fragment } from "react";
import { mailChoices, type MailChoice as Choice } from "../../features/alerts/alert";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { apart } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { Icon } from "../../ui/icon/icon";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";

/** Chooses when the person gets mails about alerts. */
export function MailChoice({ current }: { current: Choice }) {
  return (
    <DetailsMenu
      // Closes with the choice.
      key={current}
      summaryClass={button.default}
      summary={
        <>
          Mails to you: {mailChoices[current]}
          <Icon name="chevron-down" size="small" />
        </>
      }
    >
      <ActionForm action={paths.alertMails}>
        {() =>
          (Object.entries(mailChoices) as [Choice, string][]).map(([choice, label]) => (
            <Fragment key={choice}>
              <button
                name="intent"
                value={choice}
                aria-pressed={choice === current}
                className={menuItem}
              >
                {choice === current && <Icon name="check" />}
                {label}
              </button>
              {apart}
            </Fragment>
          ))
        }
      </ActionForm>
    </DetailsMenu>
  );
}
