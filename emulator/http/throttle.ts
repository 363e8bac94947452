/** Returns the seconds after which a request would be accepted; 0 if it is accepted now. */
export type Throttle = (now: number, perSecond: number) => number;

/** Creates a token bucket with a burst of one second. A rate of 0 is no limit. */
export function createThrottle(): Throttle {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAt = 0;

  return (now, perSecond) => {
    if (perSecond <= 0) return 0;
    const earned = ((now - filledAt) / 1000) * perSecond;
    tokens = Math.min(Math.max(1, perSecond), tokens + Math.max(0, earned));
    filledAt = now;
    if (tokens < 1) return (1 - tokens) / perSecond;
    tokens -= 1;
    return 0;
  };
}
