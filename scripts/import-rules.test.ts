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
writeFileSync(join(folder, 'biome.json'), JSON.stringify(config))
afterAll(() => rmSync(folder, { recursive: true }))

/** What biome says, by the project's rules, about a file outside the project that imports this. */
function lint(path: string, imported: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `import * as it from '${imported}'\n\nexport const there = it\n`)
  const args = ['lint', '--colors=off', path]
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`.replace(/\s+/g, ' ')
}

const EDGE = ['', 'rules/', 'services/', 'services/jobs/', 'routes/', 'db/', 'integrations/', 'http/']

test.each([
  ...EDGE.map((folder) => [`edge/${folder}probe.ts`, 'sharp', NATIVE]),
  ...EDGE.map((folder) => [`edge/${folder}probe.ts`, '../../media-backend/worker.ts', MEET]),
  ['edge/rules/probe.ts', '../db/client.ts', 'rules are pure'],
  ['edge/services/probe.ts', 'hono', 'Services do not know HTTP'],
  ['edge/routes/probe.ts', '../db/client.ts', 'A route validates'],
  ['edge/db/probe.ts', '../services/jobs.ts', 'are leaves'],
  ['edge/integrations/probe.ts', '../services/jobs.ts', 'are leaves'],
  ['shared/operations/video/probe.ts', 'node:fs', 'shared runs anywhere'],
  ['shared/protocol/probe.ts', '../../edge/env.ts', 'it may import neither'],
  ['media-backend/steps/probe.ts', '../../edge/env.ts', MEET],
  ['media-backend/facts/probe.ts', 'fluent-ffmpeg', 'archived upstream'],
  ['media-backend/steps/ffmpeg-command.ts', '../../edge/env.ts', MEET],
])('%s may not import %s: %s', (path, imported, reason) => {
  expect(lint(path, imported)).toContain(reason)
})
