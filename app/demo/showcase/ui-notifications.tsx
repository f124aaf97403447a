// Without script: a snackbar stays until its link dismisses it. With it, it hides by itself unless it is an error.
import { Link, useLocation, useNavigate } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Toast } from "../../ui/feedback/messages";
import { ButtonLink } from "../../ui/form/button";
import { Icon, type IconName } from "../../ui/icon/icon";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import * as shared from "../demo.css";
import * as css from "./ui.css";

const positions = [
  "top-left",
  "top-center",
  "top-right",
  "bottom-left",
  "bottom-center",
  "bottom-right",
] as const;
type Position = (typeof positions)[number];
const kinds = ["info", "error", "success"] as const;
type Kind = (typeof kinds)[number];

/** How long a snackbar stays, in ms. */
const hideAfterMs = 6_000;

export type Notifications = { position: Position; kind: Kind | null };

export function readNotifications(query: URLSearchParams): Notifications {
  return {
    position: positions.find((known) => known === query.get("position")) ?? "top-right",
    kind: kinds.find((known) => known === query.get("kind")) ?? null,
  };
}

const rows: [IconName, string, string][] = [
  ["info", "Feedback", "Thank you for the feedback"],
  ["receipt", "Message", "You have a new message from Jane Hew"],
  ["machine", "Shipped", "Your order was shipped"],
  ["download", "Report", "The monthly report is ready"],
  ["arrow-up", "Upload", "The upload has finished"],
  ["alert", "Disc", "The disc is almost full"],
];

export function NotificationCards({ position, kind }: Notifications) {
  return (
    <>
      <Snackbar position={position} kind={kind} />
      <div className={shared.columns.medium}>
        <Card className={cardSection}>
          <h2>Position</h2>
          <ul className={css.positions}>
            {positions.map((name) => (
              <li key={name}>
                <Link
                  to={`?position=${name}${kind ? `&kind=${kind}` : ""}`}
                  preventScrollReset
                  aria-current={name === position ? "true" : undefined}
                  className={css.position}
                >
                  {`${name.charAt(0).toUpperCase()}${name.slice(1).replace("-", " ")}`}
                </Link>
              </li>
            ))}
          </ul>
          <h2>Kind</h2>
          <p className={shared.row}>
            {kinds.map((name) => (
              <ButtonLink key={name} to={`?position=${position}&kind=${name}`} preventScrollReset>
                {`${name.charAt(0).toUpperCase()}${name.slice(1)} message`}
              </ButtonLink>
            ))}
          </p>
        </Card>
        <Card className={cardSection}>
          <h2>Usage</h2>
          <pre className={shared.usage}>
            <code>{`redirectWithMessage(session, "/app/ui/notifications", {
  kind: "success",
  text: "This is a success message!",
  hideAfterMs: 6000,
})`}</code>
          </pre>
          <p>
            A message hides after 6 s, but not under the pointer or the focus. Errors stay until
            they are dismissed, and without scripts all messages do.
          </p>
        </Card>
        {(["contained", "rounded", "plain"] as const).map((look) => (
          <Card key={look} className={cardSection}>
            <h2>{`Rows, ${look}`}</h2>
            <ul className={css.notes[look]}>
              {rows.map(([icon, type, text]) => (
                <li key={type}>
                  <Icon name={icon} />
                  <span>
                    <b>{type}</b> {text}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}

/** The live regions are there before they have anything to say. */
function Snackbar({ position, kind }: Notifications) {
  const { key } = useLocation();
  const navigate = useNavigate();
  const areScriptsRunning = useAreScriptsRunning();
  const without = `?position=${position}`;
  const text = `This is a ${kind} message!`;

  const show = (shown: Kind) => (
    <div className={css.snackbar[position]}>
      {areScriptsRunning ? (
        <Toast
          key={key}
          message={{ id: key, kind: shown, text, hideAfterMs, undoPath: null }}
          onDismiss={() => navigate(without, { replace: true, preventScrollReset: true })}
        />
      ) : (
        <MessageBlock
          kind={shown}
          action={
            <a href={without} aria-label="Dismiss" className={css.dismiss}>
              <Icon name="close" size="small" />
            </a>
          }
        >
          {text}
        </MessageBlock>
      )}
    </div>
  );
  return (
    <>
      <div role="status" className={css.liveRegion}>
        {kind && kind !== "error" && show(kind)}
      </div>
      <div role="alert" className={css.liveRegion}>
        {kind === "error" && show(kind)}
      </div>
    </>
  );
}
