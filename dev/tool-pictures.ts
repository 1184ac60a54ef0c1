import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, signIn } from './demo/connect.ts'
import { makeToolPictures } from './demo/tool-pictures.ts'

/**
 * `npm run tool-pictures`: makes the pictures of the tools in the studio again, with the system that `npm start` runs.
 * They are committed.
 */
const folder = mkdtempSync(join(tmpdir(), 'tool-pictures-'))
try {
  const { api_url, admin } = await connect()
  const files = await makeToolPictures(await signIn(api_url, admin), folder)
  process.stdout.write(`Wrote ${files.length} pictures\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
