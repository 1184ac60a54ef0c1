import { readFileSync } from 'node:fs'
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { parser } from '@prometheus-io/lezer-promql'
import type { Queue } from 'bullmq'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { EDGE_METRICS } from '../edge/metrics/rules/metrics.ts'
import { jobRegistry } from '../media-backend/metrics/job-metrics.ts'
import { openQueueRegistry } from '../media-backend/metrics/queue-metrics.ts'
import type { MediaQueues } from '../media-backend/queue/queues.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})
const Grid = z.strictObject({ h: z.int().min(1), w: z.int().min(1), x: z.int().min(0), y: z.int().min(0) })
const Target = z.strictObject({
  refId: z.string(),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.string() }),
  expr: z.string(),
  legendFormat: z.string(),
})
const Dashboard = z.looseObject({
  uid: z.string().max(40),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      type: z.enum(['row', 'timeseries', 'stat']),
      title: z.string().min(1),
      gridPos: Grid,
      targets: z.array(Target).min(1).optional(),
    }),
  ),
})

const alerts = Alerts.parse(parse(read('deploy/monitoring/alerts.yaml')))
const rules = alerts.groups.flatMap((group) => group.rules)
const dashboard = Dashboard.parse(JSON.parse(read('deploy/monitoring/dashboard.json')))
const panels = dashboard.panels.filter(({ type }) => type !== 'row')

/** Names of all series that the fleet and the edge export, and `up` of Prometheus. */
const EXPORTED = new Set([
  'up',
  ...Object.keys(EDGE_METRICS),
  ...[jobRegistry, openQueueRegistry({ lanes: {} } as MediaQueues, {} as Queue)].flatMap((registry) =>
    registry
      .getMetricsAsArray()
      .flatMap(({ name, type }) =>
        String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
  ),
])

/** Reads the names of metrics of a PromQL expression, and where it cannot be parsed. */
function readExpression(expr: string): { metrics: string[]; errors: number[] } {
  const metrics: string[] = []
  const errors: number[] = []
  parser.parse(expr).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) errors.push(from)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        metrics.push(expr.slice(from, to))
    },
  })
  return { metrics, errors }
}

const EXPRESSIONS = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => [title, expr] as const)),
]

test.each(EXPRESSIONS)('%s uses only metrics that exist: %s', (_name, expr) => {
  const { metrics, errors } = readExpression(expr)
  expect(errors).toEqual([])
  expect(metrics).not.toEqual([])
  expect(metrics.filter((name) => !EXPORTED.has(name))).toEqual([])
})

test('the check of expressions finds syntax errors and unknown metrics', () => {
  expect(readExpression('sum by (lane (up)').errors).not.toEqual([])
  expect(readExpression('rate(no_such_metric_total[5m]) > up').metrics).toEqual([
    'no_such_metric_total',
    'up',
  ])
  expect(EXPORTED.has('fleet_job_wait_seconds_bucket')).toBe(true)
  expect(EXPORTED.has('no_such_metric_total')).toBe(false)
})

describe('alerts', () => {
  test('match the schema of Prometheus rules', () => {
    const rule = new PrometheusRule({ metadata: { name: 'media-credits' }, spec: alerts })
    expect(() => rule.validate()).not.toThrow()
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test.each(rules.map((rule) => [rule.alert, rule.annotations.runbook] as const))(
    '%s has a section in the runbook that names it',
    (alert, runbook) => {
      const [path, anchor] = runbook.split('#')
      expect(path).toBe('docs/runbook.md')
      const sections = read('docs/runbook.md').split(/^## /m)
      const section = sections.find((text) => slugOf(text.split('\n')[0] ?? '') === anchor)
      expect(section).toContain(`\`${alert}\``)
    },
  )
})

test('panels of the dashboard have unique ids and do not overlap', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }])
  const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) => {
    expect(x + w).toBeLessThanOrEqual(24)
    return Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
})

/** Returns the anchor of a heading, as GitHub makes it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
