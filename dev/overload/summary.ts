import type { Submitted } from './submit.ts'

/** Returns the latency in ms that a share of requests does not exceed; 0 without requests. */
export function percentile(run: readonly Submitted[], share: number): number {
  const sorted = run.map(({ latency_ms }) => latency_ms).toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** Describes the rates and latencies of a run by status. */
export function describeRun(title: string, run: readonly Submitted[], seconds: number): string {
  const byStatus = [...Map.groupBy(run, ({ status }) => status)].toSorted(([one], [other]) => one - other)
  const parts = byStatus.map(([status, some]) => {
    const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(some, share)))
    return `${status}: ${(some.length / seconds).toFixed(1)}/s, p50 ${p50} ms, p99 ${p99} ms`
  })
  return `${title}: ${parts.join('; ')}`
}
