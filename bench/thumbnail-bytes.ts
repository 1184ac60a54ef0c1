import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startJobRunner } from '../media-backend/testing/run-job.ts'
import { makeLargeClip } from './inputs.ts'
import type { Measure } from './measure.ts'

const MEGABYTE = 1024 * 1024
const CLIP_BYTES = 40 * MEGABYTE

/** Measures how much of a large video is read for one thumbnail. `smart` samples eight positions. */
export const thumbnailBytes: Measure = {
  name: 'thumbnail-bytes',
  title: 'bytes that video/thumbnail (smart) reads from storage, against the size of the file',
  unit: 'MB',
  goal: 0.25,
  direction: 'at most',
  needsSystem: false,
  // The number of bytes read does not vary between rounds.
  rounds: 1,
  async open(bench) {
    const folder = join(bench.folder, 'thumbnail-bytes')
    await mkdir(folder)
    const input = await readFile(await makeLargeClip(folder, CLIP_BYTES))
    const runner = await startJobRunner()
    return {
      async round() {
        const { sent_bytes } = runner.server
        sent_bytes.clear()
        await runner.run({ operation_key: 'thumbnail', params: { smart: true } }, { input })
        const read_bytes = [...sent_bytes.values()].reduce((sum, bytes) => sum + bytes, 0)
        return { ours: read_bytes / MEGABYTE, reference: input.length / MEGABYTE }
      },
      close: runner.close,
    }
  },
}
