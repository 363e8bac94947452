/** Counts requests against a rate: a full second's worth at once, then evenly. */
export function createThrottle() {
  let tokens: number | undefined;
  let filledAt = 0;

  return {
    /** Seconds until the next request is taken, 0 when this one is. */
    take(now: number, perSecond: number): number {
      if (perSecond <= 0) return 0;
      const most = Math.max(1, perSecond);
      const earned = tokens === undefined ? most : tokens + ((now - filledAt) / 1000) * perSecond;
      tokens = Math.min(most, Math.max(0, earned));
      filledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      return (1 - tokens) / perSecond;
    },
  };
}
