/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { type JobSpec, operate } from '../testing/operate.ts'

const execute = promisify(execFile)

describe('several audio tracks', () => {
  /** Makes a clip with a low tone in the first audio track and a high tone in the second, the default track. */
  const dubbed = () =>
    makeClip('dubbed.mkv', [
      ...['-f', 'lavfi', '-i', 'testsrc2=duration=2:size=64x64:rate=10'],
      ...['-f', 'lavfi', '-i', 'sine=200:duration=2', '-f', 'lavfi', '-i', 'sine=3000:duration=2'],
      ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
      ...['-metadata:s:a:1', 'language=fra', '-disposition:a:0', '0', '-disposition:a:1', 'default'],
    ])
  /** Counts the zero crossings per second in the first audio track. */
  async function pitch(path: string): Promise<number> {
    const { stderr } = await execute('ffmpeg', [
      '-i',
      path,
      '-map',
      '0:a:0',
      '-af',
      'astats',
      '-f',
      'null',
      '-',
    ])
    return Number(/Zero crossings rate: (\S+)/.exec(stderr)?.[1])
  }

  test.each<JobSpec>([['compress'], ['circle', { duration: 1 }]])(
    '%s keeps the default track',
    async (...spec) => {
      const { path, output } = await operate(await dubbed(), spec)
      expect(output.audio).toHaveLength(1)
      expect(await pitch(path)).toBeGreaterThan(0.05)
    },
  )

  test('keeps the default flag when all tracks are encoded', async () => {
    const { output } = await operate(await dubbed(), ['convert', { format: 'mp4', acodec: 'libmp3lame' }])
    expect(output.audio.map(({ is_default }) => is_default)).toEqual([undefined, true])
  })
})
