import type { ReactNode } from "react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { input } from "../../ui/form/form.css";
import { Icon } from "../../ui/icon/icon";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { menuItem } from "../../ui/overlay/overlay.css";
import { visuallyHidden } from "#styles/global.css";
import { Cards } from "../cards";
import * as css from "../demo.css";
import * as overlays from "./ui-overlays.css";
import { capitalize } from "../pictures/picture-names";
import { Picture } from "../pictures/pictures";
import { numberParam } from "../random";
import { linkWith, StepLink, type ShowcaseProps } from "./showcase-page";

export const navbarCards = {
  Links: (
    <nav aria-label="Links" className={css.row}>
      <b>Brand</b>
      <a href="?page=home" aria-current="page" className={css.target}>
        Home
      </a>
      <a href="?page=link" className={css.target}>
        Link
      </a>
      <span role="link" aria-disabled="true">
        Disabled
      </span>
    </nav>
  ),
  Menu: (
    <nav aria-label="With a menu" className={css.row}>
      <b>Photos</b>
      <DetailsMenu
        summaryClass={css.target}
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
  ),
  "Search that expands": (
    <form role="search" aria-label="In the bar" className={css.row}>
      <input
        name="search"
        type="search"
        aria-label="Search"
        placeholder="Search…"
        className={`${input} ${css.expanding}`}
      />
      <Button icon="search">Search</Button>
    </form>
  ),
};

type Side = (typeof overlays.sides)[number];

/** Tooltips appear under pointer and focus, beside their button; popovers close on a click elsewhere. */
export function tooltipCards() {
  const tooltip = (side: Side) => (
    <>
      <button
        type="button"
        aria-describedby={`tip-${side}`}
        className={`${button.default} ${overlays.tipAnchor[side]}`}
      >
        {capitalize(side)}
      </button>
      <span role="tooltip" id={`tip-${side}`} className={overlays.tip[side]}>
        {`Tooltip at the ${side}`}
      </span>
    </>
  );
  const popover = (side: Side) => (
    <>
      <button
        type="button"
        {...{ popovertarget: `popover-${side}` }}
        className={`${button.default} ${overlays.popoverAnchor[side]}`}
      >
        {capitalize(side)}
      </button>
      <span id={`popover-${side}`} {...{ popover: "auto" }} className={overlays.popover[side]}>
        <b>{`Popover at the ${side}`}</b> <br />
        And here’s some text about it.
      </span>
    </>
  );
  const onAllSides = (draw: (side: Side) => ReactNode) => (
    <div className={overlays.tips}>
      {overlays.sides.map((side) => (
        <span key={side}>{draw(side)}</span>
      ))}
    </div>
  );
  return { Tooltips: onAllSides(tooltip), Popovers: onAllSides(popover) };
}

const slides = {
  bridge: "Bridge over the bay",
  "glacier-bay": "Glacier Bay",
  bali: "Bali",
  fjord: "Fjord in the morning",
  dunes: "Dunes at noon",
  summit: "Summit",
};
const slideNames = Object.keys(slides) as (keyof typeof slides)[];

/** Pictures farther from the current one are left out. */
const loadedSteps = 2;

/** One carousel for each way to show the step, which is a parameter of the address. */
export function carouselCards({ query }: ShowcaseProps) {
  const carousels = ["text", "dots", "progress"].map((indicator) => {
    const step = numberParam(query, indicator, { from: 1, to: slideNames.length, none: 1 });
    const urlOf = (to: number) => `${linkWith(query, { [indicator]: `${to}` })}#${indicator}`;
    return [
      capitalize(indicator),
      <Carousel key={indicator} indicator={indicator} step={step} urlOf={urlOf} />,
    ];
  });
  return Object.fromEntries(carousels);
}

type CarouselProps = { indicator: string; step: number; urlOf: (step: number) => string };

function Carousel({ indicator, step, urlOf }: CarouselProps) {
  const count = slideNames.length;
  const linkTo = (index: number) => ({
    href: urlOf(index + 1),
    "aria-label": `Step ${index + 1}: ${slides[slideNames[index]!]}`,
    "aria-current": step === index + 1 ? ("step" as const) : undefined,
  });
  const indicators: Record<string, ReactNode> = {
    text: <span>{`${step} / ${count}`}</span>,
    dots: (
      <span>
        {slideNames.map((slide, index) => (
          <a key={slide} {...linkTo(index)} className={css.dot}>
            {step === index + 1 ? "●" : "○"}
          </a>
        ))}
      </span>
    ),
    progress: <progress aria-label={`Step ${step} of ${count}`} max={count} value={step} />,
  };
  return (
    <>
      <p id={indicator} className={css.slides}>
        {slideNames.map(
          (slide, index) =>
            Math.abs(index + 1 - step) <= loadedSteps && (
              <a key={slide} {...linkTo(index)}>
                <Picture name={slide} />
              </a>
            ),
        )}
      </p>
      <p>{slides[slideNames[step - 1]!]}</p>
      <nav aria-label={`Steps, ${indicator}`} className={css.row}>
        <StepLink label="Back" href={step > 1 && urlOf(step - 1)} />
        {indicators[indicator]}
        <StepLink label="Next" href={step < count && urlOf(step + 1)} />
      </nav>
    </>
  );
}

const positions = [
  "top-left",
  "top-center",
  "top-right",
  "bottom-left",
  "bottom-center",
  "bottom-right",
] as (keyof typeof overlays.snackbar)[];
const kinds = ["info", "error", "success"] as const;

const usage = `redirectWithMessage(session, "/app/ui/notifications", {
  kind: "success",
  text: "This is a success message!",
  hideAfterMs: 6000,
})`;

const notes = ["Thank you for the feedback", "You have a new message from Jane Hew"];

export function NotificationsPage({ query }: ShowcaseProps) {
  const position = positions.find((known) => known === query.get("position")) ?? "top-right";
  const kind = kinds.find((known) => known === query.get("kind"));
  const rows = (draw: (note: string) => ReactNode) => (
    <ul className={css.list}>
      {notes.map((note) => (
        <li key={note}>{draw(note)}</li>
      ))}
    </ul>
  );
  return (
    <>
      {kind && (
        <div
          role={kind === "error" ? "alert" : "status"}
          className={`${overlays.snackbar[position]} ${kind === "error" ? "" : overlays.hiding}`}
        >
          <MessageBlock
            kind={kind}
            action={
              <a href={`?position=${position}`} aria-label="Dismiss" className={css.target}>
                <Icon name="close" size="small" />
              </a>
            }
          >
            {`This is a ${kind} message!`}
          </MessageBlock>
        </div>
      )}
      <Cards
        cards={{
          Position: (
            <p className={css.row}>
              {positions.map((name) => (
                <a
                  key={name}
                  href={linkWith(query, { position: name })}
                  aria-current={name === position ? "true" : undefined}
                  className={css.chip}
                >
                  {capitalize(name)}
                </a>
              ))}
            </p>
          ),
          Kind: (
            <p className={css.row}>
              {kinds.map((name) => (
                <a
                  key={name}
                  href={linkWith(query, { position, kind: name })}
                  className={button.default}
                >
                  {`${capitalize(name)} message`}
                </a>
              ))}
            </p>
          ),
          Usage: (
            <>
              <pre className={css.usage}>
                <code>{usage}</code>
              </pre>
              <p>
                A message hides after 6 s, but not under the pointer or the focus. Errors stay until
                they are dismissed.
              </p>
            </>
          ),
          "Rows, contained": rows((note) => <MessageBlock kind="info">{note}</MessageBlock>),
          "Rows, rounded": rows((note) => <span className={css.chip}>{note}</span>),
          "Rows, plain": rows((note) => note),
        }}
      />
    </>
  );
}
