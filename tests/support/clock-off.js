/**
 * Preloaded (`node --import`) into a process whose clock is to be wrong: by CLOCK_OFF_MS, wherever
 * the wall clock is asked. Timers go on as they were, as they do on a machine with a wrong clock.
 */
const off = Number(process.env.CLOCK_OFF_MS);
const RealDate = Date;

class WrongDate extends RealDate {
  /** @param {[] | [string | number | Date]} given */
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + off);
    else super(.../** @type {[string | number | Date]} */ (given));
  }

  /** @override */
  static now() {
    return RealDate.now() + off;
  }
}

globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (WrongDate));
