import type { MediaProbe } from '../planning/facts.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { VideoEdit } from './edit.ts'
import { encodedSize } from './filters.ts'
import { codecOf } from './output/encoders.ts'
import { chooseTreatment } from './output/treatment.ts'

/** Refuses edits if their last frame size is too small for the encoder that they choose. */
export function refuseFrames(edits: readonly VideoEdit[], probe: MediaProbe): PlanRefusal | null {
  const { video } = chooseTreatment(edits, probe)
  const chosen = edits.findLast(({ encoding }) => encoding.video === video)?.encoding
  if (video === 'copy' || chosen?.frame_limit === undefined) return null
  const { side_min, field } = chosen.frame_limit
  const { width, height } = encodedSize((edits.at(-1)?.after ?? probe).video)
  if (Math.min(width, height) >= side_min) return null
  const [codec, least, size] = [codecOf(video), `${side_min} x ${side_min}`, `${width} x ${height}`]
  return refuse(field, {
    en: `${codec} requires at least ${least} pixels, and the result has ${size}. Use h264`,
    uk: `${codec} потребує щонайменше ${least} пікселів, а результат має ${size}. Використайте h264`,
    ru: `${codec} требует не менее ${least} пикселей, а у результата ${size}. Используйте h264`,
  })
}
