// Without script: the same. The word says it; the colour only helps.
import * as css from "./feedback.css";

export type Tone = keyof typeof css.badge;

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <>
      <span className={css.badge[tone]}>{children}</span>{" "}
    </>
  );
}
