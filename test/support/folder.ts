import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for one file of tests, gone with its last test. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'media-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
