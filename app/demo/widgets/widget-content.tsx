import { useLocation } from "@remix-run/react";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { Icon } from "../../ui/icon/icon";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as showcase from "../showcase/ui.css";
import * as pageCss from "../showcase/pages.css";
import { people, pictureUrl } from "../pictures/picture-names";
import type { WidgetName } from "./widget-order";
import * as css from "./widgets.css";

const news = [
  ["check", "First machine connected", "20.11.2026"],
  ["receipt", "Monthly report published", "18.11.2026"],
  ["alert", "Maintenance on Sunday", "15.11.2026"],
] as const;

/**
 * The content of a widget.
 * @param isDraggable whether the widget has a handle
 */
export function WidgetContent({ name, isDraggable }: { name: WidgetName; isDraggable: boolean }) {
  switch (name) {
    case "info":
      return <p>Widgets are cards in an order of your choice. The order is saved in a cookie.</p>;
    case "default":
      return <p>A widget with nothing but text.</p>;
    case "shares":
      return (
        <ul className={shared.plainRow}>
          {people.map((person) => (
            <li key={person} className={css.person}>
              <img src={pictureUrl(person)} alt="" width={40} height={40} className={shared.face} />
              {`${person.charAt(0).toUpperCase()}${person.slice(1)}`}
            </li>
          ))}
        </ul>
      );
    case "signUp":
      return <SignUp />;
    case "news":
      return (
        <ul className={pageCss.newsList}>
          {news.map(([icon, text, date]) => (
            <li key={text} className={css.news}>
              <Icon name={icon} />
              <div>
                <a href="/app/grid" className={shared.target}>
                  {text}
                </a>
                <p className={muted}>{date}</p>
              </div>
            </li>
          ))}
        </ul>
      );
    case "locked":
      return (
        <details>
          <summary className={showcase.summary}>
            <Icon name="chevron-down" size="small" /> Show content
          </summary>
          <p>This widget is collapsed at first, and stays at its place.</p>
        </details>
      );
    case "story":
      return (
        <p>
          {isDraggable
            ? "Drag this story by its handle, or move it with the buttons."
            : "Move this story with the buttons."}
        </p>
      );
    case "loader":
      return <div role="img" aria-label="Loading" className={css.loader} />;
  }
}

/** The name is saved nowhere; the next page only answers. */
function SignUp() {
  const isSignedUp = new URLSearchParams(useLocation().search).has("signedUp");
  return (
    <form action="/app/grid#signUp" className={showcase.stackWide}>
      {isSignedUp && <p role="status">Thank you. This is a demo: nobody was signed up.</p>}
      <InputField name="name" label="Name" />
      <p className={shared.row}>
        <Button variant="primary" name="signedUp" value="1">
          Sign up
        </Button>
        <Button type="reset">Clear</Button>
      </p>
    </form>
  );
}
