import { existsSync } from 'node:fs'
import { changeOfLevel } from '../dev/quality/compare-video.ts'
import { geometricMean } from '../dev/quality/means.ts'
import { compareAll } from '../dev/quality/measure-videos.ts'
import type { Measure } from './measure.ts'

const KILOBYTE = 1024
/** Recordings and films of Debian's package opencv-doc, or videos of your own. */
const FOLDER = process.env.BENCH_VIDEOS ?? '/usr/share/doc/opencv-doc/examples/data'
/** A result whose structural similarity falls by more than this looks worse, so its bytes prove nothing. */
const SIMILARITY_LOSS_MAX = 0.015

/** Checks whether there are videos to compress. Drawn ones prove nothing, because their noise and motion are not real. */
export function hasVideos(): boolean {
  return existsSync(FOLDER)
}

/**
 * Compares the bytes of `compress` with the fixed rate factor that the level had before. docs/quality.md compares more
 * videos, by VMAF.
 */
export const compressBytes: Measure = {
  name: 'compress-bytes',
  title: 'bytes of video/compress at the level medium, against the rate factor 28 and the defaults of x264',
  unit: 'kB',
  goal: 0.8,
  direction: 'at most',
  needsSystem: false,
  // Encoders write the same bytes in each round.
  rounds: 1,
  async open() {
    return {
      async round() {
        const videos = await compareAll(FOLDER, {
          operation: ['compress', {}],
          encoder: changeOfLevel('medium'),
        })
        const worse = videos.find(
          ({ fixed, searched }) => searched.similarity_mean < fixed.similarity_mean - SIMILARITY_LOSS_MAX,
        )
        if (worse !== undefined) throw new Error(`${worse.name} looks worse than with the fixed rate factor`)
        const mean = (side: 'searched' | 'fixed') =>
          geometricMean(videos.map((video) => video[side].bytes / KILOBYTE))
        return { ours: mean('searched'), reference: mean('fixed') }
      },
      close: async () => {},
    }
  },
}
