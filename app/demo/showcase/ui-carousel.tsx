import { button } from "../../ui/form/button.css";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import { pictureUrl } from "../pictures/picture-names";
import type { ShowcaseProps } from "./showcase.static";

const places = [
  ["bridge", "Bridge over the bay"],
  ["glacier-bay", "Glacier Bay"],
  ["bali", "Bali"],
  ["fjord", "Fjord in the morning"],
  ["dunes", "Dunes at noon"],
  ["summit", "Summit"],
] as const;

/** Pictures farther from the shown one are not loaded. */
const loadedSteps = 2;

const styles = { text: "Text", dots: "Dots", progress: "Progress" } as const;
type Style = keyof typeof styles;

/** Three carousels: each scrolls, and its links lead to the same step. */
export function CarouselPage({ query }: ShowcaseProps) {
  return (
    <div className={shared.grid}>
      {(Object.keys(styles) as Style[]).map((style) => (
        <Carousel key={style} indicator={style} query={query} />
      ))}
    </div>
  );
}

function Carousel({ indicator: style, query }: { indicator: Style; query: URLSearchParams }) {
  const step = Math.min(places.length, Math.max(1, Math.trunc(Number(query.get(style))) || 1));
  const url = (to: number) => {
    const params = new URLSearchParams(query);
    params.set(style, `${to}`);
    return `?${params}#${style}-${to}`;
  };
  return (
    <Card className={cardSection}>
      <h2 id={style}>{styles[style]}</h2>
      {/* eslint-disable jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard */}
      <div
        tabIndex={0}
        role="region"
        aria-labelledby={style}
        aria-roledescription="carousel"
        className={css.slides}
      >
        {/* eslint-enable jsx-a11y/no-noninteractive-tabindex */}
        {places.map(([name, label], index) => (
          <div key={name} id={`${style}-${index + 1}`} role="group" className={css.slide}>
            {Math.abs(index + 1 - step) <= loadedSteps ? (
              <img
                src={pictureUrl(name)}
                alt={label}
                width={400}
                height={240}
                className={shared.picture}
              />
            ) : (
              <div className={css.noPicture} />
            )}
            <p>{label}</p>
          </div>
        ))}
      </div>
      <nav aria-label={`Steps, ${styles[style].toLowerCase()}`} className={css.steps}>
        <StepLink to={step > 1 ? url(step - 1) : null} label="Back" />
        <Indicator indicator={style} step={step} url={url} />
        <StepLink to={step < places.length ? url(step + 1) : null} label="Next" />
      </nav>
    </Card>
  );
}

function StepLink({ to, label }: { to: string | null; label: string }) {
  return to === null ? (
    <span role="link" aria-disabled="true" className={button.default}>
      {label}
    </span>
  ) : (
    <a href={to} className={button.default}>
      {label}
    </a>
  );
}

function Indicator({
  indicator: style,
  step,
  url,
}: {
  indicator: Style;
  step: number;
  url: (to: number) => string;
}) {
  if (style === "text") return <span>{`${step} / ${places.length}`}</span>;
  if (style === "progress")
    return (
      <progress aria-label={`Step ${step} of ${places.length}`} max={places.length} value={step} />
    );
  return (
    <span className={css.dots}>
      {places.map(([name, label], index) => (
        <a
          key={name}
          href={url(index + 1)}
          aria-label={`Step ${index + 1}: ${label}`}
          aria-current={step === index + 1 ? "step" : undefined}
          className={css.dot}
        />
      ))}
    </span>
  );
}
