// Without script: native radios and a checkbox.
import { themes } from "../../format/site";
import { Choice } from "./field";
import { hint, legend } from "./form.css";
import * as css from "./appearance-fields.css";

const modes = { light: "Light", dark: "Dark", system: "System setting" };

type Appearance = {
  theme: string;
  mode: string;
  isLite: boolean;
};

/** Returns the values of the fields by their names. */
export const appearanceValues = ({ theme, mode, isLite }: Appearance) => ({
  theme,
  mode,
  lite: isLite ? "on" : "",
});

/** Fields of a form that posts to `/preferences`: how this browser shows its pages. */
export function AppearanceFields({
  theme,
  mode,
  isLite,
  hintId = "lite-hint",
}: Appearance & {
  /** Tells the ids apart on a page that has these fields twice. */
  hintId?: string;
}) {
  const choices = (name: string, title: string, options: object, chosen: string) => (
    <fieldset>
      <legend className={legend}>{title}</legend>
      {Object.entries(options).map(([value, label]) => (
        <Choice
          key={value}
          type="radio"
          name={name}
          value={value}
          defaultChecked={chosen === value}
        >
          {name === "theme" && <span className={`theme-${value} ${css.swatch}`} />}
          {label}
        </Choice>
      ))}
    </fieldset>
  );
  return (
    <>
      {choices("theme", "Colour theme", themes, theme)}
      {choices("mode", "Brightness", modes, mode)}
      <div>
        <input type="hidden" name="lite" value="off" />
        <Choice
          type="checkbox"
          name="lite"
          value="on"
          defaultChecked={isLite}
          aria-describedby={hintId}
        >
          Lite mode
        </Choice>
        <p id={hintId} className={hint}>
          Pages without scripts, for slow connections and computers.
        </p>
      </div>
    </>
  );
}
