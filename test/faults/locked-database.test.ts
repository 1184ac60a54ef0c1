/** @module-tag extended */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeSecrets } from '../../dev/system/secrets.ts'
import { startDatabase } from '../../dev/system/system.ts'
import { type Database, isDatabaseUnavailable, openDatabase } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'

let folder: string
let stop: () => Promise<void>
let db: Database
/** Holds the write lock on the database file, as sqld does while it checkpoints its WAL. */
let holder: DatabaseSync

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locked-'))
  const database = await startDatabase({ dataDirectory: folder, secrets: makeSecrets(), settings: {} })
  stop = database.stop
  db = openDatabase(database.url, undefined)
  await db.$client.execute('CREATE TABLE notes (text TEXT NOT NULL)')
  holder = new DatabaseSync(join(folder, 'database/dbs/default/data'))
})
afterEach(async () => {
  if (holder.isTransaction) holder.exec('ROLLBACK')
})
afterAll(async () => {
  holder.close()
  await stop()
  await rm(folder, { recursive: true })
})

const note = (text: string) => ({ sql: 'INSERT INTO notes VALUES (?)', args: [text] })
const statement = (text: string) => ({ toSQL: () => ({ sql: note(text).sql, params: note(text).args }) })

test.each([
  ['a statement', (text: string) => db.$client.execute(note(text))],
  ['a batch', (text: string) => db.$client.batch([note(text)])],
  ['a commit', (text: string) => commit(db, [statement(text)])],
])('%s waits for a locked database and runs once', async (text, write) => {
  holder.exec('BEGIN IMMEDIATE')
  let is_written = false
  const writing = Promise.resolve(write(text)).then(() => {
    is_written = true
  })
  await delay(1000)
  expect(is_written).toBe(false)
  holder.exec('ROLLBACK')
  await writing
  const { rows } = await db.$client.execute({ sql: 'SELECT * FROM notes WHERE text = ?', args: [text] })
  expect(rows).toHaveLength(1)
})

test('a database that stays locked is reported as unavailable, not as an internal error or a lost race', async () => {
  holder.exec('BEGIN IMMEDIATE')
  const error = await commit(db, [statement('never')]).catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error)).toBe(true)
})
