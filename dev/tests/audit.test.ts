import { expect, test } from 'vitest'
import { readAudit } from './audit.ts'

function report(severities: Record<string, string>): string {
  const vulnerabilities = Object.entries(severities).map(([name, severity]) => [
    name,
    { name, severity, via: [] },
  ])
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities: Object.fromEntries(vulnerabilities) })
}

test('names packages with high and critical findings', () => {
  const text = report({ hono: 'high', zod: 'moderate', sharp: 'critical', jose: 'low' })
  expect(readAudit(text)).toEqual(['hono: high', 'sharp: critical'])
  expect(readAudit(report({ zod: 'moderate' }))).toEqual([])
})

test.each(['', 'npm error', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 })])(
  'does not take %j for a clean audit',
  (text) => {
    expect(readAudit(text)).toBeNull()
  },
)
