import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { TASKS } from '../../edge/scheduled.ts'
import { outbox } from '../../edge/tables.ts'
import { ROOT } from '../system/root.ts'

const page = readFileSync(join(ROOT, 'docs/background-tasks.md'), 'utf8')

const Config = z.object({
  queues: z.object({ consumers: z.array(z.object({ queue: z.string() })) }),
  triggers: z.object({ crons: z.array(z.string()) }),
})
const config = Config.parse(parse(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')))

/** Lists the cells in the first column of a section's table. */
function listRows(title: string): string[] {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  const rows = own.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(2).map((row) => row.split('|')[1]?.trim() ?? '')
}

test.each([
  ['Every minute', () => Object.keys(TASKS)],
  ['Queues', () => config.queues.consumers.map(({ queue }) => queue)],
  ['The outbox', () => outbox.kind.enumValues],
])('documents all background tasks: %s', (title, list) => {
  expect(listRows(title).toSorted()).toEqual([...list()].toSorted())
})

test('documents every cron trigger', () => {
  const documented = [...page.matchAll(/cron trigger `([^`]+)`/g)].map(([, cron]) => cron)
  expect(documented.toSorted()).toEqual(config.triggers.crons.toSorted())
})
