import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from './system/root.ts'

const NATIVE = 'Nothing native reaches the Worker'
const MEET = 'meet only in shared/protocol'

const folder = mkdtempSync(join(tmpdir(), 'import-rules-'))
const { vcs: _, ...config } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
writeFileSync(join(folder, 'biome.json'), JSON.stringify({}))
afterAll(() => rmSync(folder, { recursive: true }))

type Case = readonly [path: string, imported: string, reason?: string]

/**
 * Applies the project's lint rules to files with one import each, in temporary folders, and returns biome's output for
 * each file. Starting biome takes longer than all of them.
 */
function lintAll(cases: readonly Case[]): Map<Case, string> {
  const files = cases.map((each, index) => {
    const [path, imported] = each
    const root = join(folder, String(index))
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...config, root: false }))
    writeFileSync(join(root, path), `import * as it from '${imported}'\n\nexport const there = it\n`)
    return { each, file: `${index}/${path}` }
  })
  const args = ['lint', '--colors=off', '--max-diagnostics=none']
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  const blocks = `${stdout}${stderr}`.split(/^(?=\S+:\d+:\d+ )/m)
  return new Map(
    files.map(({ each, file }) => [
      each,
      blocks
        .filter((block) => block.startsWith(`${file}:`))
        .join(' ')
        .replace(/\s+/g, ' '),
    ]),
  )
}

const EDGE = ['', 'http/', 'jobs/', 'jobs/rules/', 'platform/', 'platform/database/', 'payments/paddle/']
const PURE = 'Rules are pure'
const BELOW = 'platform lies below every domain'

const REFUSED: readonly (readonly [path: string, imported: string, reason: string])[] = [
  ...EDGE.map((folder) => {
    return [`edge/${folder}probe.ts`, 'sharp', folder === 'jobs/rules/' ? PURE : NATIVE] as const
  }),
  ...EDGE.map((folder) => [`edge/${folder}probe.ts`, '../../media-backend/queue/worker.ts', MEET] as const),
  ['edge/jobs/rules/probe.ts', '../queries.ts', PURE],
  ['edge/jobs/rules/probe.ts', '../../platform/database/client.ts', PURE],
  ['edge/jobs/rules/probe.ts', '../../deps.ts', PURE],
  ['edge/jobs/rules/probe.ts', 'node:crypto', PURE],
  ['edge/jobs/probe.ts', 'hono', 'Use cases do not know HTTP'],
  ['edge/jobs/probe.ts', './routes.ts', 'Use cases do not know HTTP'],
  ['edge/jobs/probe.ts', '../http/route.ts', 'Use cases do not know HTTP'],
  ['edge/jobs/routes.ts', './queries.ts', 'A route validates'],
  ['edge/jobs/report-routes.ts', '../../platform/database/client.ts', 'A route validates'],
  ['edge/jobs/queries.ts', './schemas.ts', 'Queries know tables and rules only'],
  ['edge/jobs/list-queries.ts', '../http/errors.ts', 'Queries know tables and rules only'],
  ['edge/platform/probe.ts', '../jobs/submit.ts', BELOW],
  ['edge/platform/database/probe.ts', '../../accounts/queries.ts', BELOW],
  ['edge/platform/database/probe.ts', '../../http/errors.ts', BELOW],
  ['shared/operations/video/probe.ts', 'node:fs', 'shared runs anywhere'],
  ['shared/protocol/probe.ts', '../../edge/env.ts', 'it may import neither'],
  ['media-backend/steps/probe.ts', '../../edge/env.ts', MEET],
  ['media-backend/probe/probe.ts', 'fluent-ffmpeg', 'archived upstream'],
  ['media-backend/runtime/ffmpeg-command.ts', '../../edge/env.ts', MEET],
]

const ALLOWED: readonly Case[] = [
  ['edge/jobs/rules/probe.ts', './states.ts'],
  ['edge/jobs/rules/probe.ts', '../../credits/rules/ledger.ts'],
  ['edge/jobs/rules/probe.ts', '../../../shared/operations/catalogue.ts'],
  ['edge/credits/rules/testing/probe.ts', '../ledger.ts'],
  ['edge/jobs/routes.ts', '../http/route.ts'],
  ['edge/jobs/submit.ts', '../uploads/receive.ts'],
  ['edge/platform/http/probe.ts', '../database/client.ts'],
]

const outputs = lintAll([...REFUSED, ...ALLOWED])

test.each(REFUSED.map((each) => ({ each, path: each[0], imported: each[1], reason: each[2] })))(
  '$path may not import $imported: $reason',
  ({ each, reason }) => {
    expect(outputs.get(each)).toContain(reason)
  },
)

test.each(ALLOWED.map((each) => ({ each, path: each[0], imported: each[1] })))(
  '$path may import $imported',
  ({ each }) => {
    expect(outputs.get(each)).toBe('')
  },
)
