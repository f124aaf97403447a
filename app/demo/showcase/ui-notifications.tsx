import { MessageBlock, type MessageKind } from "../../ui/feedback/message-block";
import { button } from "../../ui/form/button.css";
import { Icon, type IconName } from "../../ui/icon/icon";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import type { ShowcaseProps } from "./showcase.static";

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

const rows: [IconName, string, string][] = [
  ["info", "Feedback", "Thank you for the feedback"],
  ["receipt", "Message", "You have a new message from Jane Hew"],
  ["machine", "Shipped", "Your order was shipped"],
  ["download", "Report", "The monthly report is ready"],
  ["arrow-up", "Upload", "The upload has finished"],
  ["alert", "Disc", "The disc is almost full"],
];

/** A snackbar stays until it is dismissed: nothing that can be acted on hides by itself. */
export function NotificationsPage({ query }: ShowcaseProps) {
  const position = positions.find((known) => known === query.get("position")) ?? "top-right";
  const kind = kinds.find((known) => known === query.get("kind"));
  return (
    <div className={shared.grid}>
      {kind && <Snackbar position={position} kind={kind} />}
      <Card className={cardSection}>
        <h2>Position</h2>
        <ul className={css.positions}>
          {positions.map((name) => (
            <li key={name}>
              <a
                href={`?position=${name}${kind ? `&kind=${kind}` : ""}`}
                aria-current={name === position ? "true" : undefined}
                className={shared.chip}
              >
                {`${name.charAt(0).toUpperCase()}${name.slice(1).replace("-", " ")}`}
              </a>
            </li>
          ))}
        </ul>
        <h2>Kind</h2>
        <p className={shared.row}>
          {kinds.map((name) => (
            <a key={name} href={`?position=${position}&kind=${name}`} className={button.default}>
              {`${name.charAt(0).toUpperCase()}${name.slice(1)} message`}
            </a>
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
          A message for the next page hides after 6 s with scripts. Errors stay until dismissed.
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
  );
}

function Snackbar({ position, kind }: { position: Position; kind: MessageKind }) {
  return (
    <div role={kind === "error" ? "alert" : "status"} className={css.snackbar[position]}>
      <MessageBlock
        kind={kind}
        action={
          <a href={`?position=${position}`} aria-label="Dismiss" className={css.dismiss}>
            <Icon name="close" size="small" />
          </a>
        }
      >
        {`This is a ${kind} message!`}
      </MessageBlock>
    </div>
  );
}
