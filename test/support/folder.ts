import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates a folder for one test file and removes it after the file's last test. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'media-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
