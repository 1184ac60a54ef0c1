/** A metric of the edge in the text format of Prometheus. All of them are gauges. */
export interface Gauge {
  name: EdgeMetric
  /** Values by the labels of their series. */
  series: { labels: Record<string, string>; value: number }[]
}

/** Descriptions of all metrics of the edge. */
export const EDGE_METRICS = {
  edge_outbox_effects: 'Effects that are not acknowledged yet, by kind.',
  edge_outbox_age_seconds: 'Age of the oldest effect that is not acknowledged yet, by kind.',
  edge_outbox_lag_seconds: 'How overdue the next attempt of an effect is, by kind; 0 if none is.',
  edge_jobs_open: 'Jobs that have not ended, by state.',
  edge_jobs_oldest_seconds: 'Time since the submission of the oldest job that has not ended, by state.',
  edge_unmatched_payments: 'Events of received money that wait for an order, a mandate or an administrator.',
  edge_ledger_faults: 'Accounts among those that changed last whose balance is not the sum of their grants.',
  edge_moves_stopped: 'Accounts that stopped moving to another database, by state of the move.',
} as const
export type EdgeMetric = keyof typeof EDGE_METRICS

/** Renders metrics in the text format of Prometheus (version 0.0.4). */
export function renderMetrics(gauges: readonly Gauge[]): string {
  const lines = gauges.flatMap(({ name, series }) => [
    `# HELP ${name} ${EDGE_METRICS[name]}`,
    `# TYPE ${name} gauge`,
    ...series.map(({ labels, value }) => `${name}${renderLabels(labels)} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

function renderLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
