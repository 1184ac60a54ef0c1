import { expect, test } from 'vitest'
import { renderMetrics } from './metrics.ts'

test('metrics are rendered in the text format of Prometheus', () => {
  const series = [
    { labels: { state: 'queued' }, value: 2 },
    { labels: { state: 'a "quoted\\ one' }, value: 0.5 },
  ]
  const text = renderMetrics([
    { name: 'edge_jobs_open', series },
    { name: 'edge_ledger_faults', series: [{ labels: {}, value: 0 }] },
  ])
  expect(text.split('\n')).toEqual([
    '# HELP edge_jobs_open Jobs that have not ended, by state.',
    '# TYPE edge_jobs_open gauge',
    'edge_jobs_open{state="queued"} 2',
    'edge_jobs_open{state="a \\"quoted\\\\ one"} 0.5',
    expect.stringContaining('# HELP edge_ledger_faults'),
    '# TYPE edge_ledger_faults gauge',
    'edge_ledger_faults 0',
    '',
  ])
})
