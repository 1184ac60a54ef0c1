/** Reports how much of one part of a job is done, from 0 to 1. */
export type ReportProgress = (fraction: number) => void

/** The progress of a job in percent, reported part by part. It never decreases. */
export interface Progress {
  /**
   * Starts the next part, a fraction (0 to 1) of the remaining progress. Any progress that the previous part did
   * not report also remains, so the percentage never jumps when a part ends.
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
