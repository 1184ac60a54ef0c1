import type { Deps } from '../deps.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import {
  ledgerFaultsQuery,
  openJobsQuery,
  outboxQuery,
  stoppedMovesQuery,
  unmatchedPaymentsQuery,
} from './queries.ts'
import { type Counted, mergeCounted } from './rules/merge-counted.ts'
import type { EdgeMetric, Gauge } from './rules/metrics.ts'

/** Reads the metrics that only the database knows. The numbers name no customer. */
export async function readMetrics(deps: Deps): Promise<Gauge[]> {
  const read = async <Row extends Counted>(query: (db: Deps['db']) => Promise<Row[]>) =>
    mergeCounted(await readEverywhere(deps, query))
  const now = deps.clock.now()
  const [effects, jobs, unmatched, faults, moves] = await Promise.all([
    read(outboxQuery),
    read(openJobsQuery),
    read(unmatchedPaymentsQuery),
    read(ledgerFaultsQuery),
    read((db) => stoppedMovesQuery(db, now)),
  ])
  const secondsSince = (time: number) => Math.max(0, now - time) / 1000
  const gauge = <Row>(
    name: EdgeMetric,
    rows: readonly Row[],
    label: (row: Row) => Record<string, string>,
    value: (row: Row) => number,
  ): Gauge => ({ name, series: rows.map((row) => ({ labels: label(row), value: value(row) })) })
  const byKind = ({ kind }: { kind: string }) => ({ kind })
  const byState = ({ state }: { state: string }) => ({ state })
  return [
    gauge('edge_outbox_effects', effects, byKind, ({ count }) => count),
    gauge('edge_outbox_age_seconds', effects, byKind, ({ created_at }) => secondsSince(created_at)),
    gauge('edge_outbox_lag_seconds', effects, byKind, ({ due_at }) => secondsSince(due_at)),
    gauge('edge_jobs_open', jobs, byState, ({ count }) => count),
    gauge('edge_jobs_oldest_seconds', jobs, byState, ({ created_at }) => secondsSince(created_at)),
    gauge(
      'edge_unmatched_payments',
      unmatched,
      () => ({}),
      ({ count }) => count,
    ),
    gauge(
      'edge_ledger_faults',
      faults,
      () => ({}),
      ({ count }) => count,
    ),
    gauge('edge_moves_stopped', moves, byState, ({ count }) => count),
  ]
}
