// Without script: each carousel scrolls, and its links lead to the steps. With it, the carousels also play by themselves.
import { useEffect, useRef, useState, type MouseEvent } from "react";
import { Button } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { isPlainClick } from "../../ui/plain-click";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import { pictureUrl } from "../pictures/picture-names";
import { useTimer } from "./use-timer";

export const places = [
  ["bridge", "Bridge over the bay"],
  ["glacier-bay", "Glacier Bay"],
  ["bali", "Bali"],
  ["fjord", "Fjord in the morning"],
  ["dunes", "Dunes at noon"],
  ["summit", "Summit"],
] as const;

/** How a carousel shows its step; each is also a parameter of the address. */
export const indicators = ["text", "dots", "progress"] as const;
type IndicatorName = (typeof indicators)[number];
/** The current step of each carousel, from 1. */
export type Steps = Record<IndicatorName, number>;

/** Pictures farther from the current one are not loaded. */
const loadedSteps = 2;
const playEveryMs = 4_000;

const wantsLessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Plays after hydration, unless less motion is wanted. Pointer and focus in a carousel hold all of them. */
export function Carousels({ start }: { start: Steps }) {
  const [steps, setSteps] = useState(start);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isHeld, setIsHeld] = useState(false);
  const areScriptsRunning = useAreScriptsRunning();
  useEffect(() => setIsPlaying(!wantsLessMotion()), []);

  const advance = (step: number) => (step % places.length) + 1;
  useTimer(playEveryMs, {
    isOff: !isPlaying || isHeld,
    tick: () =>
      setSteps(({ text, dots, progress }) => ({
        text: advance(text),
        dots: advance(dots),
        progress: advance(progress),
      })),
  });

  return (
    <Page
      title="Carousel"
      actions={
        areScriptsRunning && (
          <Button type="button" onClick={() => setIsPlaying(!isPlaying)}>
            {isPlaying ? "Pause" : "Play"}
          </Button>
        )
      }
    >
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- pointer and focus hold it; it is no control itself */}
      <div
        className={shared.grid}
        onPointerEnter={() => setIsHeld(true)}
        onPointerLeave={() => setIsHeld(false)}
        onFocus={() => setIsHeld(true)}
        onBlur={() => setIsHeld(false)}
      >
        {indicators.map((name) => (
          <Carousel
            key={name}
            name={name}
            steps={steps}
            onStep={(step) => setSteps((before) => ({ ...before, [name]: step }))}
          />
        ))}
      </div>
    </Page>
  );
}

function addressOf(steps: Steps): string {
  return `?${new URLSearchParams(indicators.map((name) => [name, `${steps[name]}`]))}`;
}

type CarouselProps = {
  name: IndicatorName;
  steps: Steps;
  onStep: (step: number) => void;
};

function Carousel({ name, steps, onStep }: CarouselProps) {
  const step = steps[name];
  const slides = useSlides(step, onStep);
  const linkTo = (to: number) => ({
    href: `${addressOf({ ...steps, [name]: to })}#${name}-${to}`,
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      onStep(to);
    },
  });
  return (
    <Card className={cardSection}>
      <h2 id={name}>{capitalized(name)}</h2>
      {/* eslint-disable jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard */}
      <div
        ref={slides}
        tabIndex={0}
        role="region"
        aria-labelledby={name}
        aria-roledescription="carousel"
        className={css.slides}
      >
        {/* eslint-enable jsx-a11y/no-noninteractive-tabindex */}
        {places.map(([picture, label], index) => (
          <div key={picture} id={`${name}-${index + 1}`} role="group" className={css.slide}>
            {Math.abs(index + 1 - step) <= loadedSteps ? (
              <img
                src={pictureUrl(picture)}
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
      <nav aria-label={`Steps, ${name}`} className={css.steps}>
        <StepLink label="Back" link={step > 1 ? linkTo(step - 1) : null} />
        <Indicator name={name} step={step} linkTo={linkTo} />
        <StepLink label="Next" link={step < places.length ? linkTo(step + 1) : null} />
      </nav>
    </Card>
  );
}

type StepLinkProps = { href: string; onClick: (event: MouseEvent) => void };

/** A link that leads nowhere keeps its place and its focus. */
function StepLink({ label, link }: { label: string; link: StepLinkProps | null }) {
  return (
    <a
      {...link}
      {...(!link && { role: "link", "aria-disabled": true, tabIndex: -1 })}
      className={button.default}
    >
      {label}
    </a>
  );
}

function Indicator({
  name,
  step,
  linkTo,
}: {
  name: IndicatorName;
  step: number;
  linkTo: (step: number) => StepLinkProps;
}) {
  if (name === "text") return <span>{`${step} / ${places.length}`}</span>;
  if (name === "progress")
    return (
      <progress aria-label={`Step ${step} of ${places.length}`} max={places.length} value={step} />
    );
  return (
    <span className={css.dots}>
      {places.map(([picture, label], index) => (
        <a
          key={picture}
          {...linkTo(index + 1)}
          aria-label={`Step ${index + 1}: ${label}`}
          aria-current={step === index + 1 ? "step" : undefined}
          className={css.dot}
        />
      ))}
    </span>
  );
}

/** Scrolls the slides to the current step, and reports the step that somebody has scrolled to. */
function useSlides(step: number, onStep: (step: number) => void) {
  const slides = useRef<HTMLDivElement>(null);
  const report = useRef(onStep);
  report.current = onStep;
  const shown = useRef(0);

  useEffect(() => {
    const element = slides.current!;
    function readStep() {
      shown.current = Math.round(element.scrollLeft / element.clientWidth) + 1;
      report.current(shown.current);
    }
    element.addEventListener("scrollend", readStep);
    return () => element.removeEventListener("scrollend", readStep);
  }, []);

  useEffect(() => {
    if (shown.current === step) return;
    const isFirst = shown.current === 0;
    shown.current = step;
    const element = slides.current!;
    const [first, target] = [element.children[0], element.children[step - 1]] as HTMLElement[];
    element.scrollTo({
      left: target!.offsetLeft - first!.offsetLeft,
      behavior: isFirst || wantsLessMotion() ? "auto" : "smooth",
    });
  }, [step]);
  return slides;
}
