// Without script: the same.
import type { ReactElement } from "react";
import { InputField } from "../ui/form/field";
import { EqualColumns } from "./cards";
import * as css from "./demo.css";

const paragraph =
  "Cras mattis consectetur purus sit amet fermentum. Cras justo odio, dapibus ac facilisis in, egestas eget quam.";

type Dialog = {
  link: string;
  title: string;
  /** The button that sends its form, if it has one. */
  verb?: string;
  cancel: string;
  Content: (props: { email: string | undefined }) => ReactElement;
};

/** The dialogs of the page about modals. */
export const dialogs: Record<string, Dialog> = {
  live: {
    link: "Live demo",
    title: "Use the location service?",
    verb: "Agree",
    cancel: "Disagree",
    Content: () => <p>Apps may then find out where you are, even when no app is running.</p>,
  },
  scroll: {
    link: "Scrolling content",
    title: "Terms",
    verb: "Subscribe",
    cancel: "Cancel",
    Content: () => (
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard
      <div tabIndex={0} role="region" aria-label="Terms" className={css.scrolling}>
        {Array.from({ length: 20 }, (_, at) => (
          <p key={at}>{paragraph}</p>
        ))}
      </div>
    ),
  },
  sm: {
    link: "Small size (sm)",
    title: "A small dialog",
    cancel: "Close",
    Content: () => <p>One short sentence fits here.</p>,
  },
  xl: {
    link: "Extra large size (xl)",
    title: "A wide dialog",
    cancel: "Close",
    Content: () => <p>{paragraph}</p>,
  },
  form: {
    link: "With a form",
    title: "Subscribe",
    verb: "Subscribe",
    cancel: "Cancel",
    Content: ({ email }) => (
      <InputField
        name="email"
        type="email"
        label="Email Address"
        hint="We send updates occasionally."
        defaultValue={email}
      />
    ),
  },
  grid: {
    link: "With a grid",
    title: "A grid in a dialog",
    cancel: "Close",
    Content: () => <EqualColumns names={["1", "2", "3", "4", "5", "6"]} />,
  },
};

export const modalPath = "/app/ui/modal";
