// Without script: the same.
import { useLocation } from "@remix-run/react";
import type { ReactElement } from "react";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { Icon } from "../../ui/icon/icon";
import { parts, summary } from "../../ui/layout/layout.css";
import { muted } from "#styles/global.css";
import * as css from "../demo.css";
import { capitalize, people } from "../pictures/picture-names";
import { Face } from "../pictures/pictures";
import type { WidgetName } from "./widget-order";

const news = [
  ["check", "First machine connected", "20.11.2026"],
  ["receipt", "Monthly report published", "18.11.2026"],
] as const;

export const widgetContents: Record<WidgetName, () => ReactElement> = {
  shares: () => (
    <ul className={css.list}>
      {people.map((person) => (
        <li key={person} className={css.row}>
          <Face name={person} />
          {capitalize(person)}
        </li>
      ))}
    </ul>
  ),
  signUp: SignUp,
  news: () => (
    <ul className={css.list}>
      {news.map(([icon, text, date]) => (
        <li key={text} className={css.row}>
          <Icon name={icon} />
          <a href="/app/grid" className={css.target}>
            {text}
          </a>
          <span className={muted}>{date}</span>
        </li>
      ))}
    </ul>
  ),
  locked: () => (
    <details>
      <summary className={summary}>
        <Icon name="chevron-down" size="small" /> Show content
      </summary>
      <p>This widget is collapsed at first, and stays at its place.</p>
    </details>
  ),
  loader: () => <div role="img" aria-label="Loading" className={css.circular} />,
};

/** The name is saved nowhere; the next page only answers. */
function SignUp() {
  const isSignedUp = new URLSearchParams(useLocation().search).has("signedUp");
  return (
    <form action="/app/grid#signUp" className={parts}>
      {isSignedUp && <p role="status">Thank you. This is a demo: nobody was signed up.</p>}
      <InputField name="name" label="Name" />
      <Button variant="primary" name="signedUp" value="1">
        Sign up
      </Button>
    </form>
  );
}
