import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareVideo, fixedLevel } from '../dev/quality/compare-video.ts'
import { geometricMean } from '../dev/quality/means.ts'
import { makeVideos } from './inputs.ts'
import type { Measure } from './measure.ts'

const KILOBYTE = 1024
/** A result whose structural similarity falls by more than this looks worse, so its bytes prove nothing. */
const SIMILARITY_LOSS_MAX = 0.01

/**
 * Compares the bytes of `compress` with the fixed rate factor that the level had before. docs/quality.md compares them on
 * real videos, by VMAF.
 */
export const compressBytes: Measure = {
  name: 'compress-bytes',
  title: 'bytes of video/compress at the level medium, against the fixed rate factor 28',
  unit: 'kB',
  goal: 0.8,
  direction: 'at most',
  needsSystem: false,
  // Encoders write the same bytes in each round.
  rounds: 1,
  async open(bench) {
    const folder = join(bench.folder, 'compress-bytes')
    await mkdir(folder)
    const clips = await makeVideos(folder)
    return {
      async round() {
        const [ours, reference]: [number[], number[]] = [[], []]
        for (const clip of clips) {
          const compared = await compareVideo(clip, ['compress', {}], fixedLevel('medium'))
          if (compared === null) throw new Error('compress encodes')
          const { searched, fixed } = compared
          if (searched.similarity_mean < fixed.similarity_mean - SIMILARITY_LOSS_MAX)
            throw new Error(`${clip} looks worse than with the fixed rate factor`)
          ours.push(searched.bytes / KILOBYTE)
          reference.push(fixed.bytes / KILOBYTE)
        }
        return { ours: geometricMean(ours), reference: geometricMean(reference) }
      },
      close: async () => {},
    }
  },
}
