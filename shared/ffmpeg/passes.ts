import type { MediaProbe } from '../planning/facts.ts'
import type { FramePass } from '../planning/steps.ts'
import { framePass } from '../planning/work.ts'
import type { VideoEdit } from './edit.ts'

/** Returns one pass for each operation that draws and one for the encode. */
export function passesOf(edits: readonly VideoEdit[], probe: MediaProbe): FramePass[] {
  const drawn = edits.filter(({ cut, video }) => cut !== null || video !== null)
  return [...drawn.map(({ after }) => framePass(after)), framePass(edits.at(-1)?.after ?? probe)]
}
