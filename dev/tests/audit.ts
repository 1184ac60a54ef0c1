import { execFile } from 'node:child_process'
import { z } from 'zod'
import { ROOT } from '../system/root.ts'
import type { Count } from './report.ts'

const AuditReport = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
})
const REFUSED = ['high', 'critical']
const AUDIT_MS_MAX = 60_000

/**
 * Asks the registry for known vulnerabilities of the production dependencies. Counts one test, or none if the registry
 * has no audit endpoint.
 */
export async function auditDependencies(): Promise<Count> {
  const findings = readAudit(await runAudit())
  if (findings === null) console.log('\n> npm audit: not checked, because the registry does not answer')
  const error_lines = findings ?? []
  const isRefused = error_lines.length > 0
  const failure = { project: null, file: 'npm audit', test: null, error_lines }
  return { passed: findings !== null && !isRefused ? 1 : 0, not_run: 0, failures: isRefused ? [failure] : [] }
}

/** Returns the packages with high or critical findings, or null if the text is no report of an audit. */
export function readAudit(text: string): string[] | null {
  const report = AuditReport.safeParse(parseJson(text))
  if (!report.success) return null
  return Object.entries(report.data.vulnerabilities)
    .filter(([, { severity }]) => REFUSED.includes(severity))
    .map(([name, { severity }]) => `${name}: ${severity}`)
}

/** `npm audit` exits with 1 if it has findings, so only its output counts. */
function runAudit(): Promise<string> {
  const args = ['audit', '--omit=dev', '--json']
  return new Promise((resolve) =>
    execFile('npm', args, { cwd: ROOT, timeout: AUDIT_MS_MAX, maxBuffer: 1 << 26 }, (_error, stdout) =>
      resolve(stdout),
    ),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
