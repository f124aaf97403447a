const RealDate = Date;

/**
 * Sets the wall clock of this process wrong. Timers go on as they were, as they do on a machine with a wrong clock.
 * @param {number} off in ms; 0 sets it right
 */
export function setClockOff(off) {
  class WrongDate extends RealDate {
    /** @param {[] | [string | number | Date]} values */
    constructor(...values) {
      if (values.length === 0) super(RealDate.now() + off);
      else super(.../** @type {[string | number | Date]} */ (values));
    }

    /** @override */
    static now() {
      return RealDate.now() + off;
    }
  }
  const date = off === 0 ? RealDate : WrongDate;
  globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (date));
}
