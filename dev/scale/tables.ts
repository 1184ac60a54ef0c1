import { type Assumed, KINDS, type Measured } from './figures.ts'
import { deriveLimits, deriveNeeds, type Limit, type Needs } from './needs.ts'

const JOBS_PER_DAY = [1_000, 100_000, 10_000_000] as const
const MONTH_DAYS = 30

/** Returns the tables of docs/scale.md in Markdown: costs of a job, needs, money, and limits. */
export function scaleTables(measured: Measured, assumed: Assumed): string[] {
  const needs = JOBS_PER_DAY.map((jobs) => deriveNeeds(jobs, measured, assumed))
  return [costTable(measured), needsTable(needs), moneyTable(needs), limitTable(measured, assumed)]
}

function costTable({ jobs }: Measured): string {
  const rows = KINDS.map((kind) => {
    const cost = jobs[kind]
    const times = [cost.fleet_ms, cost.worker_ms, cost.database_ms, cost.redis_ms]
    return [kind, ...[...times, cost.database_bytes].map(round)]
  })
  return table(['Job', 'fleet, ms', 'Worker, ms', 'database, ms', 'Redis, ms', 'database, bytes'], rows)
}

function needsTable(needs: readonly Needs[]): string {
  const row = (title: string, value: (one: Needs) => string) => [title, ...needs.map(value)]
  return table(
    ['Busiest minutes', ...needs.map(({ jobs_per_day }) => `${group(jobs_per_day)} jobs a day`)],
    [
      row('jobs per second', (one) => round(one.jobs_per_second_peak)),
      row('cores of the fleet', (one) => round(one.fleet_cores)),
      row('write transactions per second', (one) => round(one.database_writes_per_second)),
      row('databases', (one) => round(one.databases)),
      row('growth of the databases, GB a month', (one) => round(one.database_gb_per_month)),
      row('the same with an archive', (one) => round(one.archived_gb_per_month)),
      row('share of one core of Redis', (one) => percent(one.redis_core_share)),
      row('Redis after an hour without a fleet, GB', (one) => round(one.redis_backlog_gb)),
      row('share of the limit of the busiest queue', (one) => percent(one.queue_share)),
      row('files in the storage, TB', (one) => round(one.storage_tb)),
    ],
  )
}

function moneyTable(needs: readonly Needs[]): string {
  const parts = ['fleet', 'edge', 'queues', 'storage', 'database'] as const
  const sum = ({ dollars_per_month }: Needs) =>
    Object.values(dollars_per_month).reduce((one, other) => one + other, 0)
  return table(
    ['Dollars a month', ...needs.map(({ jobs_per_day }) => `${group(jobs_per_day)} jobs a day`)],
    [
      ...parts.map((part) => [part, ...needs.map(({ dollars_per_month }) => round(dollars_per_month[part]))]),
      ['sum', ...needs.map((one) => round(sum(one)))],
      ['per 1,000 jobs', ...needs.map((one) => round((sum(one) / one.jobs_per_day / MONTH_DAYS) * 1000))],
    ],
  )
}

const PARTS: Record<Limit['part'], [title: string, replacement: string]> = {
  database: ['one database', 'several databases, each with some of the accounts'],
  fleet: ['Cloudflare Containers of one account', 'Kubernetes, from the manifests in deploy/kubernetes'],
  redis: ['one Redis', 'a Redis Cluster: the keys of each queue share a hash tag; not tried'],
  queue: [
    'one queue of request records',
    'several queues, or records of a sample of the requests; not built',
  ],
}

function limitTable(measured: Measured, assumed: Assumed): string {
  return table(
    ['Part', 'carries jobs a day', 'replaced by'],
    deriveLimits(measured, assumed).map(({ part, jobs_per_day }) => {
      const [title, replacement] = PARTS[part]
      return [title, group(Number(jobs_per_day.toPrecision(2))), replacement]
    }),
  )
}

/** Renders a table in the form that Prettier and editors produce, with columns of equal width. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  )
}

/** Rounds to two significant digits below 10, and to whole numbers of three significant digits above. */
function round(value: number): string {
  return group(Number(value.toPrecision(value < 10 ? 2 : 3)))
}

function percent(share: number): string {
  return `${group(Number((share * 100).toPrecision(2)))} %`
}

function group(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 })
}
