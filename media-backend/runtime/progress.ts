/** Tells how much of one part of a job is done, 0 to 1. */
export type ReportProgress = (fraction: number) => void

/** The way of a job, told part by part in percent of the whole; it never goes back. */
export interface Progress {
  /**
   * Begins the next part, which is this share, 0 to 1, of all that is left. What the part before did not
   * tell of its own share is left as well, so nothing leaps at its end.
   */
  begin(fraction_of_rest: number): ReportProgress
}

export function startProgress(reportPercent: (percent: number) => void): Progress {
  let percent = 0
  return {
    begin(fraction_of_rest) {
      const rest = 100 - percent
      return (fraction) => {
        const now = 100 - rest * (1 - fraction_of_rest * Math.min(1, fraction))
        if (now <= percent) return
        percent = now
        reportPercent(percent)
      }
    },
  }
}
