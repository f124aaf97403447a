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

/** The content of a widget. */
export function WidgetContent({ name }: { name: WidgetName }) {
  switch (name) {
    case "info":
      return <p>Widgets are cards that can be put in another order, which a cookie keeps.</p>;
    case "default":
      return <p>A widget with nothing but text.</p>;
    case "shares":
      return (
        <ul className={shared.plainRow}>
          {people.map((person) => (
            <li key={person}>
              <img
                src={pictureUrl(person)}
                alt={person}
                width={40}
                height={40}
                className={shared.face}
              />
            </li>
          ))}
        </ul>
      );
    case "signUp":
      return (
        <form action="/app/grid" className={showcase.stackWide}>
          <InputField name="name" label="Name" />
          <Button type="reset">Clear</Button>
        </form>
      );
    case "news":
      return (
        <ul className={pageCss.newsList}>
          {news.map(([icon, text, date]) => (
            <li key={text} className={shared.row}>
              <Icon name={icon} />
              <a href="/app/grid" className={shared.target}>
                {text}
              </a>{" "}
              <span className={muted}>{date}</span>
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
      return <p>Drag this story by its handle, move it with the buttons, or use the keyboard.</p>;
    case "loader":
      return <div role="img" aria-label="Loading" className={css.loader} />;
  }
}
